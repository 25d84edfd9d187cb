// What a session may be called, at every entry point. Source: docs/reference.md, "Sessions and turns".

/**
 * 1 to 200 printable ASCII characters. Not `.` or `..`, which every HTTP client takes out of an address, and no space first or
 * last, which a header loses: such a session could not be asked for by its own name.
 */
export const SESSION_ID = /^(?!\.\.?$)[!-~](?:[ -~]{0,198}[!-~])?$/;

/** The same as the end of a sentence that begins with the name of the field. */
export const SESSION_ID_RULE =
  'must be 1 to 200 printable ASCII characters, not "." or ".." (an address loses them), no space first or last (a header loses it)';
