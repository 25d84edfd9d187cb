// Text for a spreadsheet that is to stay text. Pure.

/** What a spreadsheet takes for a formula, also behind white space, in a pair of quotes, or in signs of full width. */
const FORMULA = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
const NUMBER = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The text with an apostrophe before it where it would be a formula; a number is as it is. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
