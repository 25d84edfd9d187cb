// How wide texts are, in characters of the average width, so that a column fits its values before they are drawn. Pure.

/** Widths of characters in a sans serif, relative to the average of running text; the first that matches. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ .,:;'|!iljtfI()[\]/-]/, 0.65],
  [/[0-9]/, 1.12],
  [/[MW@%mw]/, 1.6],
  [/[A-Z]/, 1.25],
  // Ideographs, kana, hangul, forms of full width, and what stands outside of the first plane.
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\ud800-\udbff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/, 2],
];
const OTHER = 1.05;
const DIGIT = 1.12;
const MARK = 0.65;
/** No column is as wide as this: the rest of a text is not looked at. */
const MAX_CHARACTERS = 80;

const known = new Map<string, number>();

function characterWidth(character: string): number {
  let width = known.get(character);
  if (width === undefined) {
    width = WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? OTHER;
    known.set(character, width);
  }
  return width;
}

/** The width of a text. */
export function textWidth(text: string): number {
  let width = 0;
  for (let i = 0; i < Math.min(text.length, MAX_CHARACTERS); i++) width += characterWidth(text.charAt(i));
  return width;
}

/** The width of a number that is written with separators and so many digits behind its point. */
export function numberWidth(value: number | bigint | string, decimals: number): number {
  const [whole = ""] = String(value).replace("-", "").split(/[.e]/);
  const separators = Math.floor((whole.length - 1) / 3);
  return (whole.length + decimals) * DIGIT + (separators + (decimals > 0 ? 1 : 0)) * MARK;
}
