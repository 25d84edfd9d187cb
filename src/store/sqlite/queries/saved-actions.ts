// Saved actions. Each method is one statement or runs inside the caller's transaction; values are stored as they are given.
import type { Database } from "better-sqlite3";
import { MAX_SAVED_ACTIONS, type StoredAction } from "../../../domain/saved-action.js";
import { objectOf, parseJson, toJson } from "../../../lib/json.js";
import type { ActionChange, NewAction } from "../../store.js";

interface Row {
  action_id: string;
  title: string;
  tool: string;
  arguments: string;
  pinned: number;
  created_at: string;
}

/** Saved actions, synchronously. */
export interface ActionQueries {
  list(): StoredAction[];
  /** False when there are as many as may be. */
  add(action: NewAction): boolean;
  /** Undefined for an unknown one. */
  change(id: string, change: ActionChange): StoredAction | undefined;
  /** False for an unknown one. */
  remove(id: string): boolean;
}

const toAction = ({ action_id, pinned, arguments: text, ...row }: Row): StoredAction => ({
  id: action_id,
  title: row.title,
  tool: row.tool,
  arguments: objectOf(parseJson(text)),
  pinned: pinned === 1,
  created_at: row.created_at,
});

/** The saved actions of a database that is open and migrated. */
export function createActionQueries(db: Database): ActionQueries {
  const columns = "action_id, title, tool, arguments, pinned, created_at";
  const list = db.prepare(`SELECT ${columns} FROM saved_actions ORDER BY pinned DESC, title, id`);
  const find = db.prepare(`SELECT ${columns} FROM saved_actions WHERE action_id = ?`);
  const add = db.prepare(
    `INSERT INTO saved_actions (action_id, title, tool, arguments, pinned, created_at, created_by)
     SELECT @id, @title, @tool, @arguments, @pinned, @created_at, @created_by
     WHERE (SELECT count(*) FROM saved_actions) < ${MAX_SAVED_ACTIONS}`,
  );
  const change = db.prepare(
    "UPDATE saved_actions SET title = @title, arguments = @arguments, pinned = @pinned WHERE action_id = @id",
  );
  const remove = db.prepare("DELETE FROM saved_actions WHERE action_id = ?");
  return {
    list: () => (list.all() as Row[]).map(toAction),
    add: ({ pinned, arguments: args, ...action }) =>
      add.run({ ...action, arguments: toJson(args), pinned: pinned ? 1 : 0 }).changes === 1,
    change(id, changed) {
      const row = find.get(id) as Row | undefined;
      if (!row) return undefined;
      const next = { ...toAction(row), ...changed };
      change.run({ id, title: next.title, arguments: toJson(next.arguments), pinned: next.pinned ? 1 : 0 });
      return next;
    },
    remove: (id) => remove.run(id).changes === 1,
  };
}
