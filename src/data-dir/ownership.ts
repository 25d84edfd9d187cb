// Whose a file is. Where accounts are no numbers (Windows), every file counts as this account's own.
import type { Stats } from "node:fs";

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;

/** The number of this account; undefined where it has none. */
export const accountId: number | undefined = process.geteuid?.();

/** The number of the account a file belongs to, when that is neither this one nor root. */
export function foreignOwner({ uid }: Stats): number | undefined {
  return accountId === undefined || uid === accountId || uid === ROOT ? undefined : uid;
}

/**
 * Whether accounts other than the owner can write it. A group of the owner's number is the owner's own: many systems give
 * each account one, and let it write by default.
 */
export function isWritableByOthers({ mode, uid, gid }: Stats): boolean {
  if (accountId === undefined) return false;
  return (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== uid);
}
