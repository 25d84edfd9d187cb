// The one transport kind the domain knows by name; in a file of its own, so that the policy needs no schema library.

/** The transport kind of the daemon's own tools: nothing leaves the daemon. */
export const BUILTIN_KIND = "builtin";
