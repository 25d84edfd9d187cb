// Which provider and model a turn runs with: what its prompt asks for, else what its session was asked for last, else the default.
// A request chooses among what the operator configured, and so among the rules of confirmation that go with it; modes are not
// a provider's and stay. Source: docs/reference.md, "Choosing a model".
import { AppError, messageOf } from "../domain/error.js";
import { chooseModel, isOffered, type ModelChoice, type ModelRequest } from "../domain/model-choice.js";
import type { Price } from "../domain/usage.js";
import type { Provider } from "../providers/provider.js";
import type { AgentContext } from "./context.js";

/** What a turn runs with. */
interface ChosenProvider {
  provider: Provider;
  price: Price | undefined;
  /** Set when the session's last choice cannot be used, for a person. */
  notice?: string;
}

const chosen = ({ providers }: AgentContext, provider: Provider): ChosenProvider => ({
  provider,
  price: providers.price({ provider: provider.name, model: provider.model }),
});

/** What a prompt asks for, if anything. Throws AppError invalid_body where that is not there, or cannot be used. */
export async function requestedModel(
  { providers }: AgentContext,
  request: ModelRequest,
): Promise<ModelChoice | undefined> {
  const choice = chooseModel(providers.offers, request);
  if (!choice) return undefined;
  try {
    await providers.get(choice);
    return choice;
  } catch (error) {
    throw new AppError("invalid_body", `The provider "${choice.provider}" cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The provider of a session's last choice; undefined where it cannot be used any more. */
async function providerOf({ providers, log }: AgentContext, choice: ModelChoice): Promise<Provider | undefined> {
  if (!isOffered(providers.offers, choice)) return undefined;
  try {
    return await providers.get(choice);
  } catch (error) {
    log.warn({ ...choice, cause: messageOf(error) }, "a provider cannot be used");
    return undefined;
  }
}

/**
 * The provider of a turn that begins. Throws AppError invalid_body where what its prompt asked for has gone since: what was
 * meant for one vendor is not sent to another.
 */
export async function chooseProvider(
  context: AgentContext,
  session_id: string,
  requested: ModelChoice | undefined,
): Promise<ChosenProvider> {
  const { providers, store, log } = context;
  if (requested) {
    if (!isOffered(providers.offers, requested)) chooseModel(providers.offers, requested);
    return chosen(context, await providers.get(requested));
  }
  const last = await store.lastChoice(session_id);
  if (!last) return chosen(context, providers.inUse);
  const provider = await providerOf(context, last);
  if (provider) return chosen(context, provider);
  const { name, model } = providers.inUse;
  const gone = `${last.provider} with ${last.model}`;
  log.warn({ session_id, ...last, instead: `${name} with ${model}` }, "a session's choice of model cannot be used");
  const notice = `This session's choice, ${gone}, is not configured any more, or cannot be used: ${name} with ${model} answers.`;
  return { ...chosen(context, providers.inUse), notice };
}
