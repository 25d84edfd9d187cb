// A program: reads one description for a daemon and sends what it would import. A process of its own, because what others wrote may
// take any time and memory to be read; its parent limits both. Knows no data directory and has no environment but proxies.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { messageOf, StartError } from "../../domain/error.js";
import { useAuthorities } from "../../lib/authorities.js";
import { openSource } from "../kinds.js";
import { type Previewed, previewOf } from "./preview.js";
import type { ReadAnswer, ReadOrder } from "./read-description.js";
import { recognizeLocation, recognizeText } from "./recognize.js";

/** Which kind a description is of, by its address or its first words. Throws StartError for one that only a terminal may connect. */
function kindOf({ kind, location, text }: ReadOrder): string {
  if (kind !== undefined) return kind;
  if (text !== undefined) return recognizeText(text).kind;
  const found = recognizeLocation(location);
  if (found?.kind === "mcp")
    throw new StartError(
      `It seems to be an MCP server: ${found.why}. In a terminal, agentd sync mcp ${location} connects it; with "kind": "openapi" it is read all the same.`,
    );
  return found?.kind ?? "openapi";
}

async function read(order: ReadOrder, location: string): Promise<Previewed> {
  const kind = kindOf(order);
  const source = await openSource(kind);
  if (!source) throw new StartError(`There is no kind of description called ${kind}.`);
  const imported = await source.read({ ...order.input, location });
  return previewOf(imported, { ...order.context, kind });
}

/** What is said of a text in a file of its own, without the names of that file and its folder. */
function withoutFolder(sentence: string, folder: string, file: string): string {
  const named = sentence.startsWith(file) ? `The text${sentence.slice(file.length)}` : sentence;
  return named
    .replaceAll(file, "the text")
    .replaceAll(folder + sep, "")
    .replaceAll(folder, "the text");
}

/** Reads a text from a folder that has nothing else in it: what it refers to is not there. */
async function readText(order: ReadOrder & { text: string }): Promise<ReadAnswer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentd-description-")));
  const file = join(folder, "description");
  const named = kindOf(order) === "graphql" && !/^\s*[{[]/.test(order.text) ? `${file}.graphql` : file;
  try {
    await writeFile(named, order.text, { mode: 0o600 });
    const answer = await read(order, named);
    const { preview } = answer;
    const cleaned = (sentence: string): string => withoutFolder(sentence, folder, named);
    const skipped = preview.skipped.map(({ operation, reason }) => ({ operation, reason: cleaned(reason) }));
    return { ...answer, preview: { ...preview, skipped, notes: preview.notes.map(cleaned) } };
  } catch (error) {
    throw new StartError(withoutFolder(messageOf(error), folder, named));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.once("message", async (order: ReadOrder) => {
  useAuthorities(order.certificates);
  const { text } = order;
  const answer = await (text === undefined ? read(order, order.location) : readText({ ...order, text })).catch(
    (error: unknown): ReadAnswer => ({ fault: messageOf(error) }),
  );
  process.send?.(answer, () => process.disconnect());
});
