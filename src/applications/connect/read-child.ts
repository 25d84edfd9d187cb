// A program: reads one description for a daemon and sends what it would import. A process of its own, because what others wrote may
// take any time and memory to be read; its parent limits both. Knows no data directory and has no environment but proxies.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, StartError } from "../../domain/error.js";
import { useAuthorities } from "../../lib/authorities.js";
import { openSource } from "../kinds.js";
import { previewOf } from "./preview.js";
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

async function read(order: ReadOrder, location: string): Promise<ReadAnswer> {
  const kind = kindOf(order);
  const source = await openSource(kind);
  if (!source) throw new StartError(`There is no kind of description called ${kind}.`);
  const imported = await source.read({ ...order.input, location });
  return previewOf(imported, { ...order.context, kind });
}

/** Reads a text from a folder that has nothing else in it: what it refers to is not there. */
async function readText(order: ReadOrder & { text: string }): Promise<ReadAnswer> {
  const folder = await mkdtemp(join(tmpdir(), "agentd-description-"));
  const file = join(folder, "description");
  const named = kindOf(order) === "graphql" && !/^\s*[{[]/.test(order.text) ? `${file}.graphql` : file;
  try {
    await writeFile(named, order.text, { mode: 0o600 });
    return await read(order, named);
  } catch (error) {
    throw new StartError(messageOf(error).replaceAll(named, "The text").replaceAll(folder, "its folder"));
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
