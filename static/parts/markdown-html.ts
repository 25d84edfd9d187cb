// The HTML of Markdown texts, made one by one in a worker that is ended when a text takes it too long. The page goes on
// meanwhile; a text that is too long or too hard has no HTML and is displayed as it is.

/** The HTML of a text; null when it is too hard or too long for one. */
type Html = string | null;

interface Job {
  text: string;
  resolve(html: Html): void;
}

/** Longer texts are not tried: an answer of this length is a book, and its layout alone would freeze the page. */
const MAX_LENGTH = 200_000;
/** What one text may take: some 100 KB of usual Markdown. Each text in a row that takes longer halves it for the next. */
const MAX_DEADLINE_MS = 4000;
const MIN_DEADLINE_MS = 250;
/** A worker that has not loaded by then will not: the daemon is gone. */
const LOAD_MS = 15_000;
/** Characters of texts whose HTML is kept for the next time they are displayed. */
const MAX_KEPT_CHARACTERS = 2_000_000;

const kept = new Map<string, Html>();
let keptCharacters = 0;
let newest = "";
const waiting: Job[] = [];
let isWorking = false;
let deadlineMs = MAX_DEADLINE_MS;

function forget(text: string): void {
  if (kept.delete(text)) keptCharacters -= text.length;
}

function keep(text: string, html: Html): void {
  // A text that streams in comes again and again, each time longer.
  const before = newest;
  if (text.startsWith(before)) forget(before);
  kept.set(text, html);
  keptCharacters += text.length;
  newest = text;
  for (const oldest of kept.keys()) {
    if (keptCharacters <= MAX_KEPT_CHARACTERS) return;
    forget(oldest);
  }
}

/** The next message of a worker. Rejects on its failure, or after `ms`. */
function nextMessage(from: Worker, ms: number): Promise<Html> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the worker took too long")), ms);
    const stop = new AbortController();
    const settle = (end: () => void) => {
      clearTimeout(timer);
      stop.abort();
      end();
    };
    from.addEventListener("message", ({ data }) => settle(() => resolve(data as Html)), stop);
    from.addEventListener("error", (event) => settle(() => reject(new Error(event.message))), stop);
  });
}

async function startWorker(): Promise<Worker> {
  const started = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  await nextMessage(started, LOAD_MS);
  return started;
}

// Loaded with the page, so that the first answer does not wait for it.
let worker: Promise<Worker> | undefined = startWorker();
worker.catch(() => {});

/** The HTML of one text, in a worker that is free. */
async function makeHtml(text: string): Promise<Html> {
  worker ??= startWorker();
  const starting = worker;
  const ready = await starting.catch(() => undefined);
  if (ready === undefined) {
    // Not the text's fault: another one tries again.
    worker = undefined;
    return null;
  }
  try {
    ready.postMessage(text);
    const html = await nextMessage(ready, deadlineMs);
    deadlineMs = Math.min(MAX_DEADLINE_MS, deadlineMs * 2);
    keep(text, html);
    return html;
  } catch {
    ready.terminate();
    worker = undefined;
    deadlineMs = Math.max(MIN_DEADLINE_MS, deadlineMs / 2);
    keep(text, null);
    return null;
  }
}

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    const known = knownHtml(job.text);
    job.resolve(known === undefined ? await makeHtml(job.text) : known);
  }
  isWorking = false;
}

/** The HTML of a text, as far as it is known without work; undefined where it has to be made. */
export function knownHtml(text: string): Html | undefined {
  return text.length > MAX_LENGTH ? null : kept.get(text);
}

/** Makes the HTML of a text, after those that were asked for before. Never rejects. */
export function htmlOf(text: string): Promise<Html> {
  return new Promise((resolve) => {
    waiting.push({ text, resolve });
    void work();
  });
}
