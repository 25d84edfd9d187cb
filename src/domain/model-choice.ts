// Which model a prompt asks for: names of what the operator configured, and of nothing else.
// Source: docs/reference.md, "Choosing a model".
import type { z } from "zod";
import { didYouMean } from "../lib/did-you-mean.js";
import { AppError } from "./error.js";
import type * as schemas from "./schemas/agent.js";

/** A provider that a prompt may choose, without anything secret. */
export type OfferedProvider = z.infer<typeof schemas.OfferedProviderSchema>;

/** What a prompt asks for; either name may be missing. */
export interface ModelRequest {
  provider?: string | undefined;
  model?: string | undefined;
}

/** What is used. */
export interface ModelChoice {
  provider: string;
  model: string;
}

/** Characters of a caller's own word that are quoted back. */
const MAX_QUOTED = 80;

const quoted = (name: string): string =>
  JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);

const refused = (message: string): AppError => new AppError("invalid_body", message);

const modelsIn = ({ name, models }: OfferedProvider): string => `${name}: ${models.join(", ")}`;

function byProvider(offers: readonly OfferedProvider[], name: string, model: string | undefined): ModelChoice {
  const offer = offers.find((one) => one.name === name);
  if (!offer) {
    const names = offers.map((one) => one.name);
    throw refused(`There is no provider ${quoted(name)}.${didYouMean(name, names)} Configured: ${names.join(", ")}.`);
  }
  if (offer.error !== undefined) throw refused(`The provider ${quoted(name)} cannot be used: ${offer.error}`);
  if (model === undefined || offer.models.includes(model)) return { provider: name, model: model ?? offer.model };
  throw refused(
    `The provider ${quoted(name)} has no model ${quoted(model)}.${didYouMean(model, offer.models)} Configured: ${offer.models.join(", ")}.`,
  );
}

function byModel(offers: readonly OfferedProvider[], model: string): ModelChoice {
  const usable = offers.filter(({ error }) => error === undefined);
  const holders = usable.filter(({ models }) => models.includes(model));
  const [only] = holders;
  if (only && holders.length === 1) return { provider: only.name, model };
  if (only)
    throw refused(
      `Several providers have the model ${quoted(model)}: ${holders.map(({ name }) => name).join(", ")}. Name one as provider; where a model is typed, as ${quoted(`${only.name}/${model}`)}.`,
    );
  const all = usable.flatMap(({ models }) => models);
  throw refused(
    `No provider has the model ${quoted(model)}.${didYouMean(model, all)} Configured: ${usable.map(modelsIn).join("; ")}.`,
  );
}

/** What a request means; undefined when it names nothing. Throws AppError invalid_body naming what there is. */
export function chooseModel(
  offers: readonly OfferedProvider[],
  { provider, model }: ModelRequest,
): ModelChoice | undefined {
  if (provider !== undefined) return byProvider(offers, provider, model);
  return model === undefined ? undefined : byModel(offers, model);
}

/** Whether a choice of earlier can still be used. */
export function isOffered(offers: readonly OfferedProvider[], { provider, model }: ModelChoice): boolean {
  return offers.some(({ name, models, error }) => name === provider && error === undefined && models.includes(model));
}

/** What a person types for a model: its name, the name of a provider, or both with a slash between them. */
export function parseModelName(text: string, offers: readonly OfferedProvider[]): ModelRequest {
  if (offers.some(({ models }) => models.includes(text))) return { model: text };
  const slash = text.indexOf("/");
  const [name, model] = slash < 0 ? [text, undefined] : [text.slice(0, slash), text.slice(slash + 1)];
  return offers.some((one) => one.name === name) ? { provider: name, model } : { model: text };
}
