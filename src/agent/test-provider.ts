// One tiny model call that tells whether a provider works: without tools and without a session; it counts against the limits of the
// day. Source: docs/reference.md, "Testing a provider".
import { AppError, messageOf } from "../domain/error.js";
import { chooseModel } from "../domain/model-choice.js";
import type { ProviderTest } from "../domain/provider-test.js";
import { ProviderError } from "../providers/provider.js";
import type { AgentContext } from "./context.js";

/** Long enough for a model that a local server loads first. */
const TEST_MS = 60_000;
const SYSTEM = "This is a test of the connection. Answer with the single word ok.";
const NO_SESSION = "";

async function callOnce(
  { providers, useLimits }: AgentContext,
  choice: { provider: string; model: string },
  signal: AbortSignal,
): Promise<string> {
  const provider = await providers.get(choice);
  const forbidden = provider.asksNoModel ? undefined : await useLimits.refusalOf("model_calls", NO_SESSION);
  if (forbidden !== undefined) throw new Error(forbidden);
  const question = { role: "user", text: "ok?" } as const;
  const stream = provider.reply({ system: SYSTEM, messages: [question], tools: [] }, signal);
  try {
    for (;;) {
      const step = await stream.next();
      if (!step.done) continue;
      if (step.value.usage) await useLimits.addTokens(NO_SESSION, step.value.usage);
      return provider.model;
    }
  } catch (error) {
    if (error instanceof ProviderError && error.usage) await useLimits.addTokens(NO_SESSION, error.usage);
    throw error;
  }
}

/** Tests a provider. Throws as `Agent.testProvider` does. */
export async function testProvider(
  context: AgentContext,
  { provider, model }: { provider: string; model?: string | undefined },
  signal: AbortSignal,
): Promise<ProviderTest> {
  const { offers } = context.providers;
  const offer = offers.find(({ name }) => name === provider);
  if (!offer)
    throw new AppError("not_found", `There is no provider ${JSON.stringify(provider)}; GET /-/providers lists them.`);
  if (offer.error !== undefined) return { ok: false, error: context.redactor.text(offer.error), duration_ms: 0 };
  const choice = chooseModel(offers, { provider, model }) ?? { provider, model: offer.model };
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  const timeout = AbortSignal.timeout(TEST_MS);
  try {
    const answered = await callOnce(context, choice, AbortSignal.any([signal, timeout]));
    return { ok: true, model: answered, duration_ms: elapsed() };
  } catch (error) {
    const why = timeout.aborted ? `no answer within ${TEST_MS / 1_000} seconds` : messageOf(error);
    return { ok: false, error: context.redactor.text(why), duration_ms: elapsed() };
  }
}
