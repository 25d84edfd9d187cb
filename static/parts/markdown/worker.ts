// Renders Markdown (CommonMark with GitHub's tables) beside the page: some texts take its parser minutes, and it cannot be
// interrupted but by ending this worker. Parts come in one by one; their HTML goes out, null for what no page could display.
import { renderChunk, renderGrowing } from "./chunks.js";
import type { Chunk, Chunked, Job } from "./definitions.js";

/** More than this takes a page longer to lay out than a person waits: 20,000 elements are a table of 2,000 rows. */
const MAX_ELEMENTS = 20_000;
const MAX_HTML_LENGTH = 2_000_000;

function isTooMuch({ html }: Chunk): boolean {
  return html.length > MAX_HTML_LENGTH || html.split("<").length > 2 * MAX_ELEMENTS;
}

function render(job: Job): Chunked | null {
  const made: Chunked =
    job.rest === "none"
      ? { chunks: [], definitions: [...job.definitions], rest: renderChunk(job) }
      : renderGrowing(job, job.rest);
  return [...made.chunks, made.rest].some(isTooMuch) ? null : made;
}

addEventListener("message", ({ data }: MessageEvent<Job>) => postMessage(render(data)));
postMessage("ready");
