// The lines of config.json that a sync proposes for credentials. Source: docs/reference.md, "Importing a description"
import { expect } from "chai";
import { credentialNeeds } from "../../src/applications/credential-needs.js";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { parseSchema } from "../../src/domain/schema-document.js";

describe("Credentials that a sync proposes", () => {
  const proposed = (application: string, scheme: string): unknown => {
    const transport = { kind: "http", method: "GET", path: "/", security: [{ [scheme]: [] }] };
    const actions = [{ name: "list", description: "", transport }];
    const auth = { [scheme]: { type: "http", scheme: "bearer" } };
    const document = parseSchema(JSON.stringify({ auth, resources: [{ name: "r", actions }] }), impliedByTransport);
    const { config } = credentialNeeds(document, application, []);
    return JSON.parse(`{${config}}`);
  };

  const rows: [application: string, scheme: string, variable: string][] = [
    ["", "bearerAuth", "APP_BEARER_AUTH"],
    ["shop", "bearerAuth", "SHOP_BEARER_AUTH"],
    ["beta-shop", "bearerAuth", "BETA_SHOP_BEARER_AUTH"],
    ["shop", "é", "SHOP_SECRET"],
    ["app", "token", "APP_APP_TOKEN"],
    ["apparel", "token", "APPAREL_TOKEN"],
    ["agentd", "token", "APP_AGENTD_TOKEN"],
    ["agentd-two", "token", "APP_AGENTD_TWO_TOKEN"],
  ];
  for (const [application, scheme, variable] of rows)
    it(`of the scheme ${scheme} of ${application || "the application without a name"} are in ${variable}`, () => {
      const entry = { auth: { [scheme]: `env:${variable}` } };
      expect(proposed(application, scheme)).to.deep.equal(
        application === "" ? { target: entry } : { applications: { [application]: entry } },
      );
    });
});
