// A response that is left at any of its events and gone on with, live or from the record: nothing is missing and nothing comes twice.
import { expect } from "chai";
import type { NumberedEvent, TurnEvent } from "../../../src/domain/event.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { ResponseReader } from "../../../src/server/openai/response-reader.js";

const NAMES = {
  turn_id: "t",
  session_id: "s",
  model: "agentd",
  created: 1,
  completed: 5,
  background: true,
  instructions: null,
  previous_response_id: null,
};

const numbered = (events: readonly TurnEvent[]): NumberedEvent[] => events.map((event, at) => ({ seq: at + 1, event }));
const deltas = (kind: "assistant_delta" | "reasoning_delta", ...texts: string[]): TurnEvent[] =>
  texts.map((text) => ({ kind, text }));
const usage: TurnEvent = { kind: "usage", input_tokens: 1, output_tokens: 1, provider: "p", model: "m" };
const call = (id: string): TurnEvent => ({ kind: "tool_call", id, name: "list", arguments: {} });
const result = (id: string): TurnEvent => ({ kind: "tool_result", id, result: [1], status: "ok", duration_ms: 1 });
const begin: TurnEvent[] = [
  { kind: "user_prompt", text: "go" },
  { kind: "session", session_id: "s", turn_id: "t", resumed: false },
];

const TURNS: Record<string, TurnEvent[]> = {
  "a thought, a text, calls side by side, and a text": [
    ...begin,
    ...deltas("reasoning_delta", "I ", "think. "),
    ...deltas("assistant_delta", "Let ", "me ", "see."),
    { kind: "reasoning", text: "I think. " },
    usage,
    { kind: "assistant_message", text: "Let me see." },
    ...[call("a"), call("b"), result("b"), result("a")],
    ...deltas("reasoning_delta", "So."),
    { kind: "reasoning", text: "So." },
    usage,
    call("c"),
    result("c"),
    ...deltas("assistant_delta", "It ", "is."),
    usage,
    { kind: "assistant_message", text: "It is." },
    { kind: "done" },
  ],
  "texts that come whole": [
    ...begin,
    { kind: "reasoning", text: "Hm." },
    { kind: "assistant_message", text: "One." },
    call("a"),
    result("a"),
    { kind: "assistant_message", text: "Two." },
    { kind: "done" },
  ],
  "nothing at all": [...begin, { kind: "assistant_message", text: "" }, { kind: "done" }],
};

/** What the record keeps of it. */
const recorded = (events: readonly NumberedEvent[]): NumberedEvent[] =>
  events.filter(({ event }) => event.kind !== "assistant_delta" && event.kind !== "reasoning_delta");

function read(events: readonly NumberedEvent[], after?: number): JsonObject[] {
  const reader = new ResponseReader(NAMES, after);
  return events.flatMap(({ seq, event }) => reader.read(seq, event));
}

const numberOf = (event: JsonObject | undefined): number => Number(event?.["sequence_number"] ?? -1);

/** The items as a client has them that believes every event; throws for one that comes twice or out of place. */
function believe(events: readonly JsonObject[]): { texts: (string | undefined)[]; output: unknown; types: string[] } {
  const texts: (string | undefined)[] = [];
  const done = new Set<unknown>();
  let output: unknown;
  let last = -1;
  for (const event of events) {
    expect(numberOf(event)).to.be.greaterThan(last);
    last = numberOf(event);
    const type = String(event["type"]);
    const index = Number(event["output_index"]);
    if (type === "response.output_item.added") {
      expect(index, "a new item").to.equal(texts.length);
      texts.push(undefined);
    } else if (type.endsWith("_text.delta")) texts[index] = (texts[index] ?? "") + String(event["delta"]);
    else if (type.endsWith("_text.done")) texts[index] = String(event["text"]);
    else if (type === "response.output_item.done") {
      expect(done.has(index), `item ${index} is done once`).to.equal(false);
      done.add(index);
    } else if (type === "response.completed") output = (event["response"] as JsonObject)["output"];
  }
  expect(done.size).to.equal(texts.length);
  return { texts, output, types: events.map(({ type }) => String(type)) };
}

describe("A response that is gone on with", () => {
  for (const [title, events] of Object.entries(TURNS)) {
    const turn = numbered(events);
    const live = read(turn);
    const whole = believe(live);

    it(`has the same items from the record: ${title}`, () => {
      const replayed = believe(read(recorded(turn)));
      expect(replayed.texts).to.deep.equal(whole.texts);
      expect(replayed.output).to.deep.equal(whole.output);
    });

    it(`misses nothing and has nothing twice, wherever it is left: ${title}`, () => {
      for (const [at, left] of live.entries()) {
        const had = live.slice(0, at + 1);
        const followed = read(turn, numberOf(left));
        expect(followed, `live, behind ${at}`).to.deep.equal(live.slice(at + 1));
        const rest = read(recorded(turn), numberOf(left));
        const { texts, output } = believe([...had, ...rest]);
        expect(texts, `recorded, behind ${at}`).to.deep.equal(whole.texts);
        expect(output).to.deep.equal(at === live.length - 1 ? whole.output : believe(live).output);
      }
    });
  }

  it("closes a text that an error cuts off, and says why it failed", () => {
    const events = numbered([
      ...begin,
      ...deltas("assistant_delta", "half "),
      { kind: "error", message: "the model broke" },
      { kind: "done" },
    ]);
    const types = read(events).map(({ type }) => type);
    expect(types.slice(-4)).to.deep.equal([
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.failed",
    ]);
    const reader = new ResponseReader(NAMES);
    for (const { seq, event } of events) reader.read(seq, event);
    const { status, error, output } = reader.response();
    expect([status, error]).to.deep.equal(["failed", { code: "server_error", message: "the model broke" }]);
    expect((output as JsonObject[])[0]?.["status"]).to.equal("incomplete");
  });
});
