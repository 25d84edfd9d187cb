// The safety modes turned on in this tab. They only ever tighten: a mode the daemon was started with is on for every client
// and cannot be turned off here.
import { computed, signal } from "@preact/signals";
import type { Policy } from "../../src/domain/policy.js";
import { config } from "./daemon.js";

/** A mode and its explanation. */
export interface Mode {
  name: keyof Policy;
  label: string;
  explanation: string;
}

/** Every mode, in the order displayed. */
export const MODES: readonly Mode[] = [
  { name: "read_only", label: "Read only", explanation: "Refuses every call that could change something." },
  { name: "confirm", label: "Confirm", explanation: "Asks you before every call that changes something." },
  { name: "dry_run", label: "Dry run", explanation: "Sends nothing; shows the request that would have been sent." },
  { name: "strict", label: "Strict", explanation: "Refuses undeclared tools and arguments that do not fit exactly." },
];

// Stored with the tab: a protection that was turned on must not vanish with a reload.
const STORAGE_KEY = "agentd.modes";

function storedModes(): Partial<Policy> {
  const names = (sessionStorage.getItem(STORAGE_KEY) ?? "").split(" ");
  return Object.fromEntries(MODES.filter((mode) => names.includes(mode.name)).map((mode) => [mode.name, true]));
}

/** The modes turned on in this tab. */
export const chosenModes = signal<Partial<Policy>>(storedModes());

/** The modes the daemon enforces on every client. */
export const startupModes = computed<Policy>(() => ({
  read_only: config.value?.read_only ?? false,
  dry_run: config.value?.dry_run ?? false,
  strict: config.value?.strict ?? false,
  confirm: (config.value?.confirm_default || config.value?.provider_confirm) ?? false,
}));

/** Turns a mode on or off for the prompts of this tab. */
export function setMode(name: keyof Policy, on: boolean): void {
  chosenModes.value = { ...chosenModes.peek(), [name]: on };
  sessionStorage.setItem(
    STORAGE_KEY,
    MODES.filter((mode) => chosenModes.peek()[mode.name])
      .map((mode) => mode.name)
      .join(" "),
  );
}
