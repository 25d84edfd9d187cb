// docs/reference.md has what the code has: events, routes, errors, fields, parameters. Nothing is missing, nothing is made up.
import { expect } from "chai";
import { Decision } from "../../src/domain/decision.js";
import { ERROR_STATUS } from "../../src/domain/error.js";
import { HISTORY_STATUSES } from "../../src/domain/history-status.js";
import { PublicConfigSchema } from "../../src/domain/schemas/agent.js";
import { TurnEventSchema } from "../../src/domain/schemas/event.js";
import {
  ConfirmationSchema,
  HistoryEntrySchema,
  SessionSummarySchema,
  TranscriptTurnSchema,
} from "../../src/domain/schemas/record.js";
import { QUERIES } from "../../src/server/request/query.js";
import { PromptBody } from "../../src/server/request/request.js";
import { blocks, namesIn, read, sorted, tablesOf, ticked } from "../support/docs.js";
import { routeTable } from "../support/routes.js";

const REFERENCE = read("docs/reference.md");

describe("docs/reference.md", () => {
  it("has every kind of event with its fields, and no other", () => {
    const rows = tablesOf(REFERENCE, "kind").flatMap((table) => table.rows);
    const kinds = rows.flatMap((row) => ticked(row[0] ?? ""));
    expect(sorted(kinds)).to.deep.equal(sorted(TurnEventSchema.options.map(({ shape }) => shape.kind.value)));
    for (const { shape } of TurnEventSchema.options) {
      const { kind, ...fields } = shape;
      const row = rows.find((one) => one[0] === `\`${kind.value}\``)?.[1] ?? "";
      // A confirmation has a dozen fields; its row refers to it.
      if (row === "the confirmation") continue;
      expect(row.replaceAll(/\([^)]*\)/g, "").match(/\w+/g) ?? [], kind.value).to.deep.equal(Object.keys(fields));
    }
  });

  it("has every route, and no other", () => {
    const documented = tablesOf(REFERENCE, "method").flatMap((table) => table.rows.map((row) => `${row[0]} ${row[1]}`));
    const routes = routeTable();
    const known = routes.map(({ method, path }) => `${method.toUpperCase()} \`${path}\``);
    expect(sorted(documented)).to.deep.equal(sorted(known));
  });

  it("has every error code with its status, and no other", () => {
    const documented = tablesOf(REFERENCE, "status", "Errors").flatMap((table) =>
      table.rows.map((row) => [ticked(row[1] ?? "")[0] ?? "", Number(row[0])] as const),
    );
    expect(Object.fromEntries(documented)).to.deep.equal(ERROR_STATUS);
  });

  it("has every field of a prompt, a decision and the public configuration, and no other", () => {
    const fields = (heading: string): string[] => sorted(namesIn(tablesOf(REFERENCE, "field", heading).slice(0, 1)));
    expect(fields("Running a prompt")).to.deep.equal(sorted(Object.keys(PromptBody.shape)));
    expect(fields("Confirmations")).to.deep.equal(sorted(Object.keys(Decision.shape)));
    expect(fields("Public configuration")).to.deep.equal(sorted(Object.keys(PublicConfigSchema.shape)));
  });

  it("has every field of a confirmation, a session, a turn and a history row, and no other", () => {
    const fields = (heading: string, at: number): string[] =>
      sorted(namesIn(tablesOf(REFERENCE, "field", heading).slice(at, at + 1)));
    expect(fields("Confirmations", 1)).to.deep.equal(sorted(Object.keys(ConfirmationSchema.shape)));
    expect(fields("Sessions and turns", 0)).to.deep.equal(sorted(Object.keys(SessionSummarySchema.shape)));
    expect(fields("Sessions and turns", 1)).to.deep.equal(sorted(Object.keys(TranscriptTurnSchema.shape)));
    const row = blocks(REFERENCE).find(({ info, text }) => info === "jsonc" && text.includes('"turn_id"'))?.text ?? "";
    const keys = [...row.replaceAll(/\{ "(?:read_only|method|name|id|path)".*?\}/g, "{}").matchAll(/"(\w+)":/g)];
    expect(sorted(keys.map(([, key = ""]) => key))).to.deep.equal(sorted(Object.keys(HistoryEntrySchema.shape)));
  });

  it("has every parameter of the history, every parameter elsewhere, and every status", () => {
    expect(sorted(namesIn(tablesOf(REFERENCE, "parameter", "History")))).to.deep.equal(
      sorted(Object.keys(QUERIES.history.shape)),
    );
    expect(sorted(namesIn(tablesOf(REFERENCE, "status", "History")))).to.deep.equal(sorted(HISTORY_STATUSES));
    expect(sorted(namesIn(tablesOf(REFERENCE, "parameter", "Whole results")))).to.deep.equal(
      sorted(Object.keys(QUERIES.result.shape)),
    );
    const routes = tablesOf(REFERENCE, "method").flatMap((table) => table.rows.map((row) => row.join(" ")));
    const described = { sessions: "/-/sessions`", confirmations: "/-/confirmations`", search: "/-/tools/search`" };
    for (const [name, path] of Object.entries(described)) {
      const row = ticked(routes.find((one) => one.includes(path)) ?? "");
      expect(row, path).to.include.members(Object.keys(QUERIES[name as keyof typeof described].shape));
    }
    for (const name of Object.keys(QUERIES.chat.shape)) expect(REFERENCE).to.include(name);
  });
});
