// Why a file cannot be read, in words for a person. The caller's sentence names the file, which Node's own message repeats.

/** As the end of a sentence, without a full stop. */
export function fileFault(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "this account may not read it";
    case "EISDIR":
      return "it is a folder";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
