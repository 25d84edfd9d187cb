// Forms of verbs that do not end in "ed", with their plain forms. Words in, words out.

const BASES = new Map(
  (
    "wrote write written write drove drive driven drive taught teach made make built build led lead ran run kept keep sold sell bought buy " +
    "sang sing sung sing flew fly drew draw drawn draw paid pay sent send lent lend lost lose found find given give taken take withdrawn withdraw"
  )
    .split(" ")
    .flatMap((word, at, all): [string, string][] => (at % 2 === 0 ? [[word, all[at + 1] ?? word]] : [])),
);

/** The plain form of a past tense or a participle that does not end in "ed"; undefined for any other word. */
export const plainForm = (word: string): string | undefined => BASES.get(word);
