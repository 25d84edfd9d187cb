// The agent as models: `agentd`, and `agentd/PROVIDER` for each provider that can be used; `agentd/PROVIDER/MODEL` is understood.
// Source: docs/reference.md, "OpenAI-compatible routes".

import type { ModelRequest, OfferedProvider } from "../../domain/model-choice.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { ApiError } from "./errors.js";

/** The agent with what a session, or the configuration, uses by default. */
export const AGENT_MODEL = "agentd";

/** The start of the daemon: models have a time, and ours are as old as it is. */
const CREATED = Math.floor(Date.now() / 1000);
const MAX_QUOTED = 80;

/** One entry of the list of models. */
interface ListedModel {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
}

/** The name of the agent with this provider. */
export const modelOf = (provider: string): string => `${AGENT_MODEL}/${provider}`;

const listed = (id: string): ListedModel => ({ id, object: "model", created: CREATED, owned_by: AGENT_MODEL });

/** All of them, the default first. */
export function listModels(offers: readonly OfferedProvider[]): ListedModel[] {
  const usable = offers.filter(({ error }) => error === undefined);
  return [AGENT_MODEL, ...usable.map(({ name }) => modelOf(name))].map(listed);
}

function unknownModel(name: string, offers: readonly OfferedProvider[]): ApiError {
  const known = listModels(offers).map(({ id }) => id);
  const quoted = JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
  return new ApiError(
    "not_found",
    `The model ${quoted} does not exist.${didYouMean(name, known)} There are: ${known.join(", ")}.`,
    { param: "model", apiCode: "model_not_found" },
  );
}

/** What a name asks of the agent. Throws ApiError model_not_found. */
export function requestOf(name: string, offers: readonly OfferedProvider[]): ModelRequest {
  if (name === AGENT_MODEL) return {};
  const rest = name.startsWith(`${AGENT_MODEL}/`) ? name.slice(AGENT_MODEL.length + 1) : "";
  const usable = offers.filter(({ error }) => error === undefined);
  const exact = usable.find((offer) => offer.name === rest);
  if (exact) return { provider: exact.name };
  const owner = usable.find((offer) => offer.models.some((model) => rest === `${offer.name}/${model}`));
  if (owner) return { provider: owner.name, model: rest.slice(owner.name.length + 1) };
  throw unknownModel(name, offers);
}

/** The model of this name. Throws ApiError model_not_found. */
export function findModel(name: string, offers: readonly OfferedProvider[]): ListedModel {
  requestOf(name, offers);
  return listed(name);
}
