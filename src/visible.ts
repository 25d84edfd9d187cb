// Text from elsewhere (a model, a target, a schema) made safe for a terminal: control and direction characters become
// visible instead of doing something. What a person reads is what is there.

/** C0 but tab and newline, DEL, C1; bidirectional controls; invisible characters, but not the joiner inside an emoji. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|[\u{e0000}-\u{e007f}]/gu;

/** The same text with every character that would act on a terminal or hide from a reader shown as its code point. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}}`);
}
