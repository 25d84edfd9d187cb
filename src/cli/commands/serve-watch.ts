// Looks every second whether the files of the configuration are still what was read. Our own, because watchers report names
// in a folder: they miss what a link leads to elsewhere, report half of an exchange, and nothing on network disks.
// Source: docs/reference.md, "Starting and stopping".
import type { ReadFiles } from "../../lib/read-files.js";

/** Short beside the minute that Kubernetes takes; a few stats cost nothing. */
const LOOK_MS = 1_000;

/** What is watched. */
interface WatchContext {
  /** Those that the configuration in force, or a later attempt, was made from. */
  files(): ReadFiles;
  /** What else decides about them, as a text. */
  trust(): string;
  /** Called once they have changed, and then been the same for two looks: a file may be half written. Never rejects. */
  onChange(): Promise<void>;
}

/** Starts to look; returns what ends it. Never keeps the process alive. */
export function watchConfiguration({ files, trust, onChange }: WatchContext): () => void {
  let seen: string | undefined;
  let trustSeen = trust();
  let isBusy = false;
  const look = async (): Promise<void> => {
    const followed = files();
    const trustNow = trust();
    const now = await followed.now();
    if (now === followed.asRead() && trustNow === trustSeen) {
      seen = undefined;
      return;
    }
    const changed = `${now}\n${trustNow}`;
    if (changed === seen) {
      seen = undefined;
      trustSeen = trustNow;
      await onChange();
    } else seen = changed;
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void look().finally(() => {
      isBusy = false;
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
