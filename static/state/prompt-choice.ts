// Which model and which application the prompts of a conversation are for, where there is something to choose. The daemon remembers a
// session's model itself; the application is that of the prompt alone.
import { signal } from "@preact/signals";
import type { OfferedProvider } from "../../src/domain/model-choice.js";
import { requestList } from "./api.js";

/** What is chosen; what is missing is left to the daemon. */
export interface PromptChoice {
  provider?: string;
  model?: string;
  /** "" is the name of the one without a name. */
  application?: string;
}

/** The providers a prompt may choose. */
export const offeredProviders = signal<readonly OfferedProvider[]>([]);

const chosen = signal<ReadonlyMap<string, PromptChoice>>(new Map());

/** What is chosen in a conversation. */
export function choiceOf(session: string): PromptChoice {
  return chosen.value.get(session) ?? {};
}

/** Chooses for the prompts of a conversation from now on. */
export function choose(session: string, choice: PromptChoice): void {
  chosen.value = new Map(chosen.peek()).set(session, choice);
}

/** Loads the providers. Never throws: without them there is nothing to choose. */
export async function loadProviders(): Promise<void> {
  offeredProviders.value = await requestList<OfferedProvider>("/-/providers", "providers").catch(() => []);
}
