// The safety modes: how a request can tighten them and what they say of one action. Pure.
import type { z } from "zod";
import { BUILTIN_KIND } from "./builtin-kind.js";
import type { Permission } from "./permission.js";
import type { Action } from "./schema-document.js";
import type { PolicySchema } from "./schemas/policy.js";

/** The modes in force. A request can only turn them on, never off. */
export type Policy = z.infer<typeof PolicySchema>;

/** What the modes say of a call. */
export type Verdict =
  | { kind: "allow" }
  /** A person must say yes first. */
  | { kind: "confirm" }
  /** Describe the request instead of sending it. */
  | { kind: "dry_run" }
  | { kind: "refuse"; reason: string };

/** No mode in force. */
export const OPEN_POLICY: Policy = { read_only: false, dry_run: false, strict: false, confirm: false };

/** The effective modes of a turn: startup OR request. */
export function tighten(startup: Policy, request: Partial<Policy>): Policy {
  return {
    read_only: startup.read_only || request.read_only === true,
    dry_run: startup.dry_run || request.dry_run === true,
    strict: startup.strict || request.strict === true,
    confirm: startup.confirm || request.confirm === true,
  };
}

/**
 * The modes that a call of a tool with this permission is judged by. `ask` turns `confirm` on; `allow` leaves of it what something
 * else than config.json asked for, and touches no other mode.
 */
export function permitted(policy: Policy, permission: Permission | undefined, isConfirmFirm: boolean): Policy {
  if (permission?.is === "ask") return { ...policy, confirm: true };
  if (permission?.is === "allow") return { ...policy, confirm: isConfirmFirm };
  return policy;
}

/**
 * What the modes say of an action. Refusals come first, so that dry_run never makes a forbidden call look possible;
 * dry_run comes before confirm, because a request that is not sent needs no confirmation. The daemon's own tools send nothing,
 * so dry_run leaves them alone. A permission to ask holds a call of any safety.
 */
export function judge(policy: Policy, action: Action): Verdict {
  const { permission } = action;
  if (permission?.is === "deny")
    return { kind: "refuse", reason: `config.json denies ${action.name} (${permission.rule})` };
  if (policy.read_only && action.safety !== "read_only")
    return { kind: "refuse", reason: `read_only is in force and ${action.name} is ${action.safety}` };
  if (policy.strict && action.provenance === "inferred")
    return {
      kind: "refuse",
      reason: `strict is in force and ${action.name} was inferred, not declared by the application`,
    };
  if (policy.dry_run && action.transport.kind !== BUILTIN_KIND) return { kind: "dry_run" };
  if (permission?.is === "ask" || (policy.confirm && action.safety !== "read_only")) return { kind: "confirm" };
  return { kind: "allow" };
}
