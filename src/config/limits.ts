// What sessions and days may take. Source: docs/reference.md, "Limits of use".
import { wholeNumber } from "./kinds.js";
import { setting, under } from "./setting.js";

const AMOUNT = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const MORE = "[more](reference.md#limits-of-use)";

const row = (name: string, description: string) =>
  setting({ name, kind: AMOUNT, defaultText: "no limit", description, more: MORE });

/** The settings under `limits`. */
export const LIMIT_SETTINGS = under("limits", {
  session: under("session", {
    calls: row("calls", "Calls to applications that a session may make"),
    model_calls: row("model_calls", "Model calls that the turns of a session may make"),
    tokens: row("tokens", "Tokens, input and output, that a session may take"),
  }),
  day: under("day", {
    calls: row("calls", "Calls to applications a day (UTC)"),
    model_calls: row("model_calls", "Model calls a day (UTC)"),
    tokens: row("tokens", "Tokens, input and output, a day (UTC)"),
  }),
});
