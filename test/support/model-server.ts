// A model server of one's own, beside a fake vendor's chat completions: what it says of its context in the words of vLLM, Ollama,
// llama.cpp or LM Studio, and refuses or cuts what is longer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import type { Vendor } from "./vendor.js";

/** A running model server. */
export interface ModelServer {
  /** Usable as base_url. */
  readonly url: string;
  /** `METHOD path` of every request beside chat completions. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Answers by `METHOD path`; what is not here is 404. Chat completions go to the vendor. */
export async function startModelServer(
  vendor: Vendor,
  answers: () => Record<string, JsonObject>,
  at = 0,
): Promise<ModelServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    if (url.includes("/chat/completions")) {
      const passed = await fetch(new URL(url, vendor.url), {
        method,
        body: Buffer.concat(chunks),
        headers: { "content-type": headers["content-type"] ?? "" },
      });
      response.writeHead(passed.status, { "content-type": passed.headers.get("content-type") ?? "" });
      return void response.end(Buffer.from(await passed.arrayBuffer()));
    }
    asked.push(`${method} ${url}`);
    const answer = answers()[`${method} ${url}`];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(toJson(answer ?? { error: "not found" }));
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
