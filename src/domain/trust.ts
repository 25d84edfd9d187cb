// Whether a file of a data directory may be used: asked by every reader of configuration and documents with the bytes it is
// about to use, so that nothing can change between the question and the use.

/** Whether files of a data directory that was found are what they were when this account trusted it. */
export interface TrustCheck {
  /** What is wrong with a file, given its content or undefined for none: a sentence with the way out; undefined when nothing is. */
  faultOf(file: string, content: Uint8Array | undefined): string | undefined;
  /** The absolute paths of the files that are trusted, also of those that are gone. */
  files(): string[];
  /** Changes when something else is trusted than before. */
  version(): string;
}
