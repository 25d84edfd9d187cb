// What the role of a connection may do beside reading and writing tables: asked on every connect. A role that reaches files, programs
// or other sessions of the server gets no free query, because a transaction that cannot write stops none of that.
import { DatabaseFailure } from "../database.js";

/** Gives one row of the role's powers; extension functions that reach other servers count as one. */
export const POWERS_QUERY = `SELECT current_user::text, (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)::text,
  (SELECT pg_catalog.string_agg(r.rolname, ',' ORDER BY r.rolname) FROM pg_catalog.pg_roles r WHERE r.rolname IN
    ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend', 'pg_checkpoint',
     'pg_maintain', 'pg_create_subscription', 'pg_signal_autovacuum_worker')
    AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')),
  (SELECT pg_catalog.string_agg(DISTINCT e.extname, ',') FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
      AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.deptype = 'e'
    JOIN pg_catalog.pg_proc p ON p.oid = d.objid
    WHERE e.extname IN ('dblink', 'adminpack', 'file_fdw', 'http', 'pg_net', 'pg_cron')
      AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE') AND pg_catalog.has_schema_privilege(p.pronamespace, 'USAGE')),
  pg_catalog.pg_is_in_recovery()::text, pg_catalog.current_setting('server_version')`;

/** The powers of a role. */
export interface RolePowers {
  role: string;
  isSuperuser: boolean;
  /** Roles of the server's own that it is a member of and that reach beyond tables. */
  memberships: readonly string[];
  /** Extensions whose functions it may call and that reach beyond the database. */
  extensions: readonly string[];
  serverVersion: string;
}

/** The answer to POWERS_QUERY. */
export function powersOf(row: readonly (string | null)[] | undefined): RolePowers {
  const [role, isSuperuser, memberships, extensions, , serverVersion] = row ?? [];
  return {
    role: role ?? "",
    isSuperuser: isSuperuser === "true",
    memberships: memberships ? memberships.split(",") : [],
    extensions: extensions ? extensions.split(",") : [],
    serverVersion: serverVersion ?? "",
  };
}

/** Why the role gets no free query; undefined when it may have one. */
export function tooPowerful({ role, isSuperuser, memberships, extensions }: RolePowers): string | undefined {
  if (isSuperuser)
    return `the role ${role} is a superuser, which reads files and starts programs even in a transaction that cannot write`;
  if (memberships.length > 0)
    return `the role ${role} is a member of ${memberships.join(", ")}, which reaches beyond tables`;
  if (extensions.length > 0)
    return `the role ${role} may call functions of ${extensions.join(", ")}, which reach other servers or files`;
  return undefined;
}

/** How to make a role that may have one. */
export const ROLE_RECIPE =
  "make a role for agentd, such as CREATE ROLE agentd LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA public TO agentd; " +
  "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO agentd; and name it in the application's location";

/** The refusal of a free query. */
export function powerRefusal(reason: string): DatabaseFailure {
  return new DatabaseFailure("refused", `no free query: ${reason}; ${ROLE_RECIPE}`);
}
