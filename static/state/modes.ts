// The safety modes a person turned on in this tab. They only ever tighten: a mode the daemon was started with is on for
// everybody and cannot be turned off here.
import { computed, signal } from "@preact/signals";
import type { Policy } from "../../src/domain/policy.js";
import { config } from "./daemon.js";

/** A mode and how it is explained. */
export interface Mode {
  name: keyof Policy;
  label: string;
  explanation: string;
}

/** Every mode, in the order shown. */
export const MODES: readonly Mode[] = [
  { name: "read_only", label: "Read only", explanation: "Refuses every call that could change something." },
  { name: "confirm", label: "Confirm", explanation: "Asks you before every call that changes something." },
  { name: "dry_run", label: "Dry run", explanation: "Sends nothing; shows the request that would have been sent." },
  { name: "strict", label: "Strict", explanation: "Refuses undeclared tools and arguments that do not fit exactly." },
];

// Kept with the tab: a protection somebody turned on must not vanish with a reload.
const KEY = "agentd.modes";

function kept(): Partial<Policy> {
  const names = (sessionStorage.getItem(KEY) ?? "").split(" ");
  return Object.fromEntries(MODES.filter((mode) => names.includes(mode.name)).map((mode) => [mode.name, true]));
}

/** The modes turned on in this tab. */
export const chosen = signal<Partial<Policy>>(kept());

/** The modes the daemon enforces on everybody. */
export const startup = computed<Policy>(() => ({
  read_only: config.value?.read_only ?? false,
  dry_run: config.value?.dry_run ?? false,
  strict: config.value?.strict ?? false,
  confirm: config.value?.confirm_default ?? false,
}));

/** Turns a mode on or off for the prompts of this tab. */
export function choose(name: keyof Policy, on: boolean): void {
  chosen.value = { ...chosen.peek(), [name]: on };
  sessionStorage.setItem(
    KEY,
    MODES.filter((mode) => chosen.peek()[mode.name])
      .map((mode) => mode.name)
      .join(" "),
  );
}
