// A line as a shell takes it apart: quotes keep spaces, a backslash keeps the character behind it. Nothing is expanded. Pure.

/** A piece of a word: within single quotes, within double quotes, a kept character, or plain. A quote that is not closed is a character. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s\\])|\\$/y;

/** The words of a line. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; ) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(line);
    if (found) {
      const [, single, double, kept, plain] = found;
      word = (word ?? "") + (single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? kept ?? plain ?? "\\");
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
    at += found?.[0].length ?? 1;
  }
  return word === undefined ? words : [...words, word];
}
