// One line of `agentd doctor`: what was looked at, how it is, and what to do when it is not well.
import { messageOf } from "../../domain/error.js";

/** How it is. */
type Health = "ok" | "warn" | "fail";

/** One thing looked at. */
export interface Check {
  /** What was looked at; an application's name after a colon. */
  check: string;
  status: Health;
  message: string;
  /** What to do; absent where the message says it, and where all is well. */
  advice?: string;
}

export const ok = (check: string, message: string): Check => ({ check, status: "ok", message });
export const warned = (check: string, message: string, advice?: string): Check =>
  advice === undefined ? { check, status: "warn", message } : { check, status: "warn", message, advice };
export const failed = (check: string, message: string, advice?: string): Check =>
  advice === undefined ? { check, status: "fail", message } : { check, status: "fail", message, advice };

/** The checks of a part; what it throws is its failure. */
export async function checked(check: string, look: () => Promise<Check | Check[]> | Check | Check[]): Promise<Check[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [failed(check, messageOf(error))];
  }
}
