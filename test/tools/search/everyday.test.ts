// Everyday prompts over large descriptions of real applications: the operation a person means is among the first few.
import { expect } from "chai";
import type { ToolIndex } from "../../../src/tools/search/tool-index.js";
import { indexOf } from "./described-index.js";

interface Description {
  name: string;
  file: string;
  /** Everyday prompts and the operation that is meant. */
  meant: readonly (readonly [prompt: string, tool: string])[];
}

const descriptions: readonly Description[] = [
  {
    name: "@octokit/openapi",
    file: "generated/api.github.com.json",
    meant: [
      ["close issue 12 in octo/hello", "issues_update"],
      ["mark issue 12 in octo/hello as completed", "issues_update"],
      ["close pull request 44 of octo/hello", "pulls_update"],
      ["archive the repository octo/hello", "repos_update"],
      ["show issue 12 in octo/hello", "issues_get"],
      ["rename the milestone 2 of octo/hello to v2.0", "issues_update-milestone"],
      ["merge pull request 9 in octo/hello", "pulls_merge"],
      ["lock the conversation on issue 8 in octo/hello", "issues_lock"],
      ['comment "looks good" on issue 5 in octo/hello', "issues_create-comment"],
      ["close issue 12 in acme/pull-requests", "issues_update"],
      ["merge pull request 9 in mona/release-notes", "pulls_merge"],
      ["list releases of acme/workflow-runs", "repos_list-releases"],
      ["list branches of acme/secret-scanning-alerts", "repos_list-branches"],
      ["open issues of acme/deployments", "issues_list-for-repo"],
      ["open a new issue", "issues_create"],
      ["create a webhook for the repository", "repos_create-webhook"],
      ["show my unread notifications", "activity_list-notifications-for-authenticated-user"],
      ["delete the repository octo/old", "repos_delete"],
      ["file a bug in octo/hello", "issues_create"],
      ["creat an isue", "issues_create"],
      ["stop workflow run 55", "actions_cancel-workflow-run"],
      ["kick bob out of the organization", "orgs_remove-member"],
      ["make acme/web public", "repos_update"],
      ["change the description of acme/web", "repos_update"],
      ["request changes on pull request 12", "pulls_create-review"],
      ["who is in the design team of acme?", "teams_list-members-in-org"],
      ["rename the design team to ux", "teams_update-in-org"],
      ["give the design team access to acme/web", "teams_add-or-update-repo-permissions-in-org"],
      ["list the repos of acme", "repos_list-for-org"],
      ["list my repos", "repos_list-for-authenticated-user"],
      ["create a repo called web", "repos_create-for-authenticated-user"],
      ["which orgs am I in?", "orgs_list-for-authenticated-user"],
      ["is bob a member of acme?", "orgs_check-membership-for-user"],
      ["make bob an admin of acme", "orgs_set-membership-for-user"],
      ["who am I logged in as?", "users_get-authenticated"],
      ["unwatch acme/web", "activity_delete-repo-subscription"],
      ["list the repositories of bob", "repos_list-for-user"],
      ["list the gists of bob", "gists_list-for-user"],
      ["unlock issue 9", "issues_unlock"],
      ["unarchive acme/web", "repos_update"],
      ["DELETE /repos", "repos_delete"],
      ["/pulls/reviews", "pulls_list-reviews"],
    ],
  },
  {
    name: "@directus/specs",
    file: "dist/openapi.json",
    meant: [
      ["archive user 5", "updateUser"],
      ["deactivate flow 3", "updateFlow"],
      ["delete file 9", "deleteFile"],
      ["change the title of file 9 to Sunset", "updateFile"],
    ],
  },
];

for (const { name, file, meant } of descriptions)
  describe(`Ranking the operations of ${name}`, () => {
    let index: ToolIndex;
    before(async () => {
      index = await indexOf(name, file);
    });

    for (const [prompt, tool] of meant)
      it(`has ${tool} among the first five for "${prompt}"`, () => {
        expect(index.search(prompt, 5).map((found) => found.tool.name)).to.include(tool);
      });
  });
