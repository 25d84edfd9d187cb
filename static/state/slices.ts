// Long loops of the page, a few milliseconds at a time: between two slices it draws and answers.

/** How long a loop goes on before the page may draw and answer. */
const SLICE_MS = 8;

/** Runs a generator to its end, a few milliseconds at a time. Throws AbortError when aborted. */
export async function inSlices<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    signal?.throwIfAborted();
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + SLICE_MS;
  }
}
