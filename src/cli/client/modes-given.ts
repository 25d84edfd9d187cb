// The safety modes that a command was given.
import type { Settings } from "../../config/settings.js";
import type { Policy } from "../../domain/policy.js";

/**
 * The modes that flags and variables ask for; a request can only turn modes on. Those of config.json stay out: the daemon has read
 * them itself, and no permission lifts what a request says.
 */
export function modesGiven({ policy, origins }: Settings): Partial<Policy> {
  const modes = Object.entries(policy).filter(([mode, on]) => on && origins[`safety.${mode}`] !== "config.json");
  return Object.fromEntries(modes);
}
