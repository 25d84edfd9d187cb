// Makes HTML of Markdown (CommonMark with GitHub's tables) beside the page: some texts take its parser minutes, and it cannot be
// interrupted but by ending this worker. Texts come in one by one; HTML goes out, null for one that no page could display.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** More than this takes a page longer to lay out than a person waits: 20,000 elements are a table of 2,000 rows. */
const MAX_ELEMENTS = 20_000;
const MAX_HTML_LENGTH = 2_000_000;

function toHtml(text: string): string | null {
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const tags = html.length > MAX_HTML_LENGTH ? Number.POSITIVE_INFINITY : html.split("<").length;
  return tags > 2 * MAX_ELEMENTS ? null : html;
}

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(toHtml(data)));
postMessage("ready");
