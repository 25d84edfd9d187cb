// What GET /-/settings says. Source: docs/reference.md, "Settings in force".
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { SettingsView } from "../../src/domain/agent.js";
import { SettingsViewSchema } from "../../src/domain/schemas/settings.js";
import { agentd, dataDir, serve, stopAll, sync } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const SECRET = "canary-settings-4711";

describe("Settings in force", function () {
  this.timeout(30_000);
  after(stopAll);

  it("are modes with their reasons, applications with their last sync, credentials by name, and no secret", async () => {
    const folder = temporaryFolder("settings");
    const file = join(folder, "api.json");
    const describe = (paths: object): void =>
      writeFileSync(
        file,
        JSON.stringify({
          openapi: "3.0.3",
          info: { title: "Shop", version: "1" },
          servers: [{ url: "http://127.0.0.1:9/api" }],
          components: { securitySchemes: { login: { type: "http", scheme: "bearer" } } },
          security: [{ login: [] }],
          paths,
        }),
      );
    const config = {
      safety: { read_only: true },
      target: { headers: { "X-Own": SECRET }, safety: { strict: true } },
      history_keep_days: 30,
      tokens: { reader: { token: `${SECRET}-of-a-reader-123`, read_only: true }, owner: `${SECRET}-of-an-owner-456` },
    };
    const { dir } = dataDir({ config });
    const get = { operationId: "listOrders", responses: { 200: { description: "ok" } } };
    const remove = { operationId: "deleteOrder", responses: { 204: { description: "gone" } } };
    describe({ "/orders": { get } });
    await sync(dir, file, "--force");
    describe({
      "/orders/{id}": {
        delete: remove,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      },
    });
    await agentd(["sync", "--data-dir", dir]);
    const served = await serve(["--data-dir", dir, "--confirm"], { env: { AGENTD_DRY_RUN: "1" } });
    const as = async (token: string): Promise<SettingsView> => {
      const response = await fetch(`${served.url}/-/settings`, {
        headers: { Authorization: `Bearer ${SECRET}-${token}` },
      });
      expect(response.status).to.equal(200);
      return (await response.json()) as SettingsView;
    };
    const settings = await as("of-an-owner-456");
    expect(SettingsViewSchema.strict().safeParse(settings).error?.issues ?? []).to.deep.equal([]);
    const { modes, applications, credentials, retention } = settings;
    expect(Object.values(modes).map(({ on, from }) => [on, from])).to.deep.equal([
      [true, "config"],
      [true, "variable"],
      [false, "default"],
      [true, "flag"],
    ]);
    expect(modes.confirm.why).to.contain("--confirm");
    expect(modes.dry_run.why).to.contain("AGENTD_DRY_RUN");
    const [shop] = applications;
    expect(shop).to.deep.include({ title: "Shop", source: file, tools: 1, modes: ["strict"] });
    expect(shop?.safety.destructive).to.equal(1);
    expect(shop?.last_difference).to.deep.equal({ added: ["deleteOrder"], removed: ["listOrders"], changed: [] });
    expect(Date.parse(shop?.synced_at ?? "")).to.be.above(Date.now() - 60_000);
    const states = Object.fromEntries(credentials.map(({ name, set }) => [name, set]));
    expect(states).to.deep.include({ "target.headers.X-Own": true, "target.auth.login": false, "tokens.reader": true });
    expect(retention).to.deep.equal({ history_keep_days: 30, session_keep_days: null });
    expect(settings.files?.config).to.equal(join(dir, "config.json"));
    expect(JSON.stringify(settings)).to.not.contain(SECRET);
    const seen = await as("of-a-reader-123");
    expect(JSON.stringify(seen)).to.not.contain(dir);
    expect(JSON.stringify(seen)).to.not.contain(file);
    expect(seen.modes).to.deep.equal(modes);
    await served.stop();
  });
});
