// Ctrl-Z where this process reads keys itself: the terminal sends no signal then.

/** Stopped processes do not get here in this time; those that no shell could continue are not stopped at all. */
const NOT_STOPPED_MS = 200;

/** Stops all processes of the foreground job, as the terminal would, and calls `onContinue` once they go on. */
export function suspendProcess(onContinue: () => void): void {
  const resume = (): void => {
    process.off("SIGCONT", resume);
    clearTimeout(timer);
    onContinue();
  };
  const timer = setTimeout(resume, NOT_STOPPED_MS);
  process.on("SIGCONT", resume);
  // 0 is the process group: what started this program, such as npm, waits with it.
  process.kill(0, "SIGTSTP");
}
