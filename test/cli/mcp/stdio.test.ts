// The bridge between standard input and output and an MCP endpoint, at an endpoint that does not answer.
// Source: docs/mcp.md, "Connecting a client".
import { expect } from "chai";
import type { CarriedAnswer } from "../../../src/cli/mcp/carrier.js";
import { serveStdio } from "../../../src/cli/mcp/stdio.js";

describe("Messages of agentd mcp", () => {
  it("are refused while 256 requests wait for answers; what answers one of them is not", async () => {
    const request = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`;
    const lines = [
      ...Array.from({ length: 258 }, (_, i) => request(i + 1)),
      '{"jsonrpc":"2.0","id":"q","result":{}}\n',
    ];
    const written: string[] = [];
    const sent: string[] = [];
    const over = new AbortController();
    async function* input(): AsyncGenerator<Buffer> {
      for (const line of lines) yield Buffer.from(line);
      over.abort();
    }
    await serveStdio({
      input: input(),
      write: async (line) => void written.push(line),
      carrier: {
        send: ({ body = "" }) => {
          sent.push(body);
          return new Promise<CarriedAnswer>(() => {});
        },
        again: async () => undefined,
        close: async () => undefined,
      },
      signal: over.signal,
    });
    expect(sent).to.have.length(257);
    expect(sent.at(-1)).to.include('"q"');
    expect(written.map((line) => (JSON.parse(line) as { id: number }).id)).to.deep.equal([257, 258]);
    expect(written[0]).to.include("256 requests are under way");
  });
});
