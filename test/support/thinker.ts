// A model that thinks on the wire, in the words of DeepSeek's and llama.cpp's servers: it streams the first of its thoughts, waits to
// be released, and then thinks to the end and answers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What it thinks once it was released; markup in it is text. */
export const RELEASED = "It is polite to <b>answer</b> in kind. ".repeat(5).trim();

/** A running model. */
export interface Thinker {
  /** Usable as base_url. */
  readonly url: string;
  /** Lets it think to the end, now and from now on. */
  release(): void;
  close(): Promise<void>;
}

/** Starts it. */
export async function startThinker(): Promise<Thinker> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end();
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish_reason: string | null = null): void =>
      void response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    for (const word of "The person says hello. ".split(/(?<= )/)) send({ reasoning_content: word });
    await released;
    for (const word of RELEASED.split(/(?<= )/)) send({ reasoning_content: word });
    for (const word of ["Hello ", "to ", "you."]) send({ content: word });
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    release,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
