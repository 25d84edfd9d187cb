// What a token must look like, wherever it comes from.

/** What is wrong with a token, as the end of a sentence; undefined when every client can send it in a header. */
export function tokenFault(token: string): string | undefined {
  if (token.trim() === "") return "is empty. Give a token, or leave it out to run without one.";
  if (/^[\x21-\x7e]+$/.test(token)) return undefined;
  return "holds a space or a character outside ASCII, which not every client sends the same way. Use printable ASCII.";
}
