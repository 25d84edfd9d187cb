// What the operator says of single tools in config.json: allow, ask or deny. Which tool it is said of is found in
// src/tools/permissions.ts, what it means for a call in policy.ts.

/** From the loosest to the strictest. */
export const PERMISSIONS = ["allow", "ask", "deny"] as const;
type PermissionWord = (typeof PERMISSIONS)[number];

/** Words by names of tools, in which `*` stands for any characters. */
export type PermissionTable = Readonly<Record<string, PermissionWord>>;

/** What is said of one tool. */
export interface Permission {
  is: PermissionWord;
  /** Where it is said: a key of config.json. */
  rule: string;
}
