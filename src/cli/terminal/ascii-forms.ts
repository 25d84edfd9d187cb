// The program's own signs for a terminal whose locale has ASCII only: each becomes one character of it, so that nothing moves. What
// others wrote stays, but for the same signs. Pure.
// Source: docs/reference.md, "Text on a terminal".

const SIGNS = "✓✗⊘◷■○→…•◦▪═─│−⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FORMS = "+x!?#o>~***=-|-|/-\\|/-\\|/";
const FORM_OF: ReadonlyMap<string, string> = new Map([...SIGNS].map((sign, at) => [sign, FORMS[at] ?? "?"]));
const ANY = new RegExp(`[${SIGNS}]`, "gu");

/** Whether the locale is named, and is one whose characters are ASCII. Source: POSIX, "Internationalization Variables". */
function isAsciiLocale({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /^(C|POSIX)$/.test(LC_ALL || LC_CTYPE || LANG || "");
}

/** A text for an output: with ASCII signs on a terminal that has no others. */
export function withOwnSigns(text: string, output: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): string {
  return output.isTTY && isAsciiLocale(env) ? text.replace(ANY, (sign) => FORM_OF.get(sign) ?? "?") : text;
}
