// Providers and their models as lines of text: for `agentd models` and for /model in a chat.
import type { ModelRequest, OfferedProvider } from "../../domain/model-choice.js";
import { formatTable, oneLine } from "./table.js";

/** A choice in words. */
export const choiceText = ({ provider, model }: ModelRequest): string =>
  `${oneLine(model ?? "")} of ${oneLine(provider ?? "")}`;

/** A table, a line for each model, and a sentence for each provider that cannot be used. */
export function modelTable(offers: readonly OfferedProvider[]): string {
  const rows = offers.flatMap(({ name, type, models, default: isDefault }) =>
    models.map((model, at) => [oneLine(name), oneLine(model), type, isDefault && at === 0 ? "default" : ""]),
  );
  const unusable = offers.flatMap(({ name, error }) =>
    error === undefined ? [] : [`${oneLine(name)} cannot be used: ${oneLine(error)}\n`],
  );
  return formatTable(["PROVIDER", "MODEL", "TYPE", ""], rows) + unusable.join("");
}

/** The names that can be typed, a line each; what was chosen here is marked. */
export function modelLines(offers: readonly OfferedProvider[], chosen: ModelRequest): string[] {
  return offers.flatMap(({ name, models, default: isDefault }) =>
    models.map((model, at) => {
      const mark = chosen.provider === name && chosen.model === model ? "*" : " ";
      return `${mark} ${oneLine(`${name}/${model}`)}${isDefault && at === 0 ? " (default)" : ""}`;
    }),
  );
}
