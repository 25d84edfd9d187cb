// Turns as the page puts them together, without a browser: from events in any order of arrival, and from transcripts that were read
// before or after them. What is displayed has each event once.
import { expect } from "chai";
import { RECOVERED_SEQ, type TurnEvent } from "../../src/domain/event.js";
import type { TranscriptTurn } from "../../src/domain/record.js";
import { mergeTurns, turnsOf } from "../../static/turn/transcript.js";
import {
  ALL_EVENTS,
  applyEvents,
  type FollowedEvent,
  positionIn,
  startTurn,
  type Turn,
} from "../../static/turn/turn.js";

/** The events of a turn, numbered. */
function eventsOf(turn_id: string, text: string): FollowedEvent[] {
  const events: TurnEvent[] = [
    { kind: "user_prompt", text: `prompt of ${turn_id}` },
    { kind: "session", session_id: "s", turn_id, resumed: false },
    ...text.split("").map((delta): TurnEvent => ({ kind: "assistant_delta", text: delta })),
    { kind: "assistant_message", text },
    { kind: "done" },
  ];
  return events.map((event, i) => ({ ...event, turn_id, seq: i + 1 }));
}

const brief = (turns: readonly Turn[]): string[] =>
  turns.map(({ prompt, status, items }) =>
    [prompt, status, ...items.map((item) => ("text" in item ? item.text : item.name))].join(" | "),
  );

const A = eventsOf("a", "one");
const B = eventsOf("b", "two");
const WHOLE = ["prompt of a | done | one", "prompt of b | done | two"];

function stored(turn_id: string, status: Turn["status"], text: string): TranscriptTurn {
  const messages = status === "running" ? [] : [{ role: "assistant" as const, text, calls: [] }];
  return { turn_id, status, messages, error: "", prompt: `prompt of ${turn_id}` } as unknown as TranscriptTurn;
}

describe("the web UI: turns of a page", () => {
  it("has each event once, wherever the stream broke and began again", () => {
    for (let cut = 0; cut <= A.length; cut++)
      for (let from = 0; from <= cut; from++) {
        const before = applyEvents([], A.slice(0, cut));
        expect(brief(applyEvents(before, [...A.slice(from), ...B])), `${cut} ${from}`).to.deep.equal(WHOLE);
      }
  });

  it("takes a message in place of the deltas that a replay leaves out", () => {
    const replayed = A.filter(({ kind }) => kind !== "assistant_delta");
    for (let cut = 0; cut <= A.length; cut++)
      expect(brief(applyEvents(applyEvents([], A.slice(0, cut)), replayed)), `${cut}`).to.deep.equal([WHOLE[0]]);
  });

  it("goes on behind the last event, and behind everything of a turn that is over", () => {
    expect(positionIn([])).to.equal(null);
    expect(positionIn(applyEvents([], A.slice(0, 3)))).to.deep.equal({ turn_id: "a", after: 3 });
    const opened = turnsOf([stored("a", "done", "one")], []);
    expect(positionIn(opened)).to.deep.equal({ turn_id: "a", after: ALL_EVENTS });
    expect(positionIn(turnsOf([stored("a", "running", "")], []))).to.deep.equal({ turn_id: "a", after: 0 });
    // Nobody but this page knows of a prompt that waits.
    expect(positionIn([...opened, startTurn("local-1", "later", "c")])).to.deep.equal({
      turn_id: "a",
      after: ALL_EVENTS,
    });
  });

  it("puts a turn that begins before the prompts of this page that wait", () => {
    const waiting = startTurn("local-1", "later", "c");
    expect(brief(applyEvents([waiting], A))).to.deep.equal([WHOLE[0], "later | running"]);
    expect(applyEvents([startTurn("local-1", "mine", "a")], A)[0]?.key).to.equal("local-1");
  });

  it("reads interrupted when a restart of the daemon ended it", () => {
    const end = [
      { kind: "error", message: "interrupted", turn_id: "a", seq: RECOVERED_SEQ },
      { kind: "done", turn_id: "a", seq: RECOVERED_SEQ + 1 },
    ] as const;
    expect(brief(applyEvents(applyEvents([], A.slice(0, 4)), end))).to.deep.equal([
      "prompt of a | interrupted | on | interrupted",
    ]);
  });

  it("loses and repeats nothing when a transcript is read before, between or after the events", () => {
    const transcripts = {
      running: [stored("a", "running", "")],
      over: [stored("a", "done", "one")],
      later: [stored("a", "done", "one"), stored("b", "running", "")],
    };
    for (const [name, transcript] of Object.entries(transcripts))
      for (let known = 0; known <= A.length; known++)
        for (let cut = known; cut <= A.length; cut++) {
          const asked = applyEvents([], A.slice(0, known));
          const now = applyEvents(asked, A.slice(known, cut));
          const merged = mergeTurns(now, turnsOf(transcript, []), new Set(asked.map(({ turn_id }) => turn_id)));
          const all = applyEvents(merged, [...A.slice(cut), ...B]);
          expect(brief(all), `${name} ${known} ${cut}`).to.deep.equal(WHOLE);
        }
  });

  it("folds thoughts above the text they came before, whole ones in place of their pieces, as a transcript has them", () => {
    const pieces: TurnEvent[] = [
      { kind: "user_prompt", text: "prompt of a" },
      { kind: "reasoning_delta", text: "I " },
      { kind: "reasoning_delta", text: "look." },
      { kind: "assistant_delta", text: "one" },
      { kind: "reasoning", text: "I look." },
      { kind: "assistant_message", text: "one" },
      { kind: "reasoning", text: "Again." },
      { kind: "assistant_message", text: "two" },
      { kind: "done" },
    ];
    const events = pieces.map((event, i) => ({ ...event, turn_id: "a", seq: i + 1 }));
    const items = (list: readonly FollowedEvent[]) => applyEvents([], list)[0]?.items;
    const thoughts = (text: string, streaming = false) => ({ kind: "thoughts", text, streaming });
    const text = (said: string, streaming = false) => ({ kind: "text", text: said, streaming });
    const whole = [thoughts("I look."), text("one"), thoughts("Again."), text("two")];
    expect(items(events.slice(0, 3))).to.deep.equal([thoughts("I look.", true)]);
    expect(items(events.slice(0, 5))).to.deep.equal([thoughts("I look."), text("one", true)]);
    expect(items(events)).to.deep.equal(whole);
    // A replay leaves the pieces out; a broken turn ends them.
    expect(items(events.filter(({ kind }) => !kind.endsWith("_delta")))).to.deep.equal(whole);
    expect(items([...events.slice(0, 3), { kind: "done", turn_id: "a", seq: 9 }])).to.deep.equal([thoughts("I look.")]);
    const messages = [
      { role: "assistant" as const, text: "one", calls: [], reasoning: "I look." },
      { role: "assistant" as const, text: "two", calls: [], reasoning: "Again." },
    ];
    expect(turnsOf([{ ...stored("a", "done", ""), messages }], [])[0]?.items).to.deep.equal(whole);
  });

  it("drops what the transcript does not have any more, and nothing that came since", () => {
    const now = applyEvents([], [...A, ...B]);
    const merge = (known: string[]) =>
      brief(mergeTurns(now, turnsOf([stored("a", "done", "one")], []), new Set(known)));
    expect(merge(["a", "b"])).to.deep.equal([WHOLE[0]]);
    expect(merge(["a"])).to.deep.equal(WHOLE);
  });
});
