// Whether a provider works: found out by one tiny model call.
import type { z } from "zod";
import type { ProviderTestSchema } from "./schemas/direct.js";

/** What became of a test of a provider. */
export type ProviderTest = z.infer<typeof ProviderTestSchema>;

/** What tests providers. */
export interface ProviderTesting {
  /**
   * Makes one tiny model call without tools, which counts as any other. Throws AppError not_found for an unknown provider, invalid_body
   * for a model that it does not offer; what the vendor says is wrong is an answer.
   */
  testProvider(choice: { provider: string; model?: string | undefined }, signal: AbortSignal): Promise<ProviderTest>;
}
