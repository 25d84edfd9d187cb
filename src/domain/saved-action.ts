// A call that a person saved to make it again: a tool with its arguments, under a title.
import type { z } from "zod";
import type { JsonObject } from "../lib/json.js";
import type { Caller } from "./caller.js";
import type { SavedActionSchema } from "./schemas/direct.js";

/** A saved action as clients see it. */
export type SavedAction = z.infer<typeof SavedActionSchema>;

/** What a client says of an action. */
export interface ActionContent {
  title: string;
  tool: string;
  arguments: JsonObject;
  pinned: boolean;
}

/** A saved action as it is on record. */
export type StoredAction = Omit<SavedAction, "application" | "available">;

/** Actions that are kept. */
export const MAX_SAVED_ACTIONS = 500;
/** Characters of the arguments of one, as JSON. */
export const MAX_ACTION_ARGUMENTS = 100_000;
/** Characters of a title. */
export const MAX_ACTION_TITLE = 200;

/** The saved actions of a daemon, and what may be one. */
export interface SavedActions {
  /** Whether a call of this name can be made, to an application or by the daemon itself. */
  canCall(name: string): boolean;
  /** The saved actions, pinned ones first, then by title. */
  savedActions(): Promise<SavedAction[]>;
  /** Throws AppError invalid_body for a tool that is not there and for arguments that hold a secret, conflict when there are too many. */
  saveAction(content: ActionContent, caller: Caller): Promise<SavedAction>;
  /** Undefined for an unknown one. Throws AppError invalid_body as `saveAction` does. */
  changeAction(id: string, change: Partial<Omit<ActionContent, "tool">>): Promise<SavedAction | undefined>;
  /** False for an unknown one. */
  deleteAction(id: string): Promise<boolean>;
}
