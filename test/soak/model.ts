// The model of a soak: decides by the prompt what to answer, and checks every request for what a vendor would refuse, which is how
// an incoherent session is found. Prompts: `make ID N` creates N pets named ID.0, ID.1, … one call at a time;
// `torrent N` streams N times 64 KiB; `model TROUBLE ID` misbehaves; `hostile NAME` calls the tool of a hostile schema,
// `call NAME` a tool without arguments; everything else is answered "ok".
import { type ChatMessage, incoherence } from "../support/conversation.js";
import { HOSTILE_SCHEMAS, toolOf } from "../support/hostile-schemas.js";
import type { VendorRequest, VendorTurn } from "../support/vendor.js";
import { HOSTILE_REPLIES } from "./hostile-replies.js";

const textOf = ({ content }: ChatMessage): string =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");

const CHUNK = "x".repeat(64 * 1024);

let hostile = 0;

function troubled(trouble: string): VendorTurn {
  const reply = HOSTILE_REPLIES[trouble];
  if (reply) return reply(`${trouble}-${hostile++}`);
  const words = { text: "half an ans" };
  if (/^\d+$/.test(trouble)) return { status: Number(trouble), headers: { "retry-after-ms": "20" } };
  if (trouble === "endless") return { deltas: Array<string>(100_000).fill("x"), delayMs: 1 };
  if (trouble === "huge") return { deltas: Array<string>(700).fill(CHUNK) };
  return { ...words, trouble: trouble as NonNullable<VendorTurn["trouble"]> };
}

/** The script of the fake vendor. `onProblem` is called with what is wrong with a request. */
export function createModel(onProblem: (problem: string) => void): (request: VendorRequest) => VendorTurn {
  return ({ body }) => {
    const messages = (body["messages"] ?? []) as unknown as ChatMessage[];
    const problem = incoherence(messages);
    if (problem) onProblem(`the model was sent an incoherent conversation: ${problem}`);
    const at = messages.findLastIndex((message) => message.role === "user");
    const current = messages[at];
    const text = current ? textOf(current) : "";
    const [verb = "", word = "", more = ""] = text.split(" ");
    if (verb === "torrent") return { deltas: Array<string>(Number(word)).fill(CHUNK) };
    const made = messages.slice(at).filter((message) => message.role === "tool").length;
    const hostile = verb === "hostile" && HOSTILE_SCHEMAS[text.slice(verb.length + 1)];
    if (hostile && made === 0)
      return { calls: [{ name: toolOf(text.slice(verb.length + 1)), arguments: { x: hostile.value } }] };
    if (verb === "call" && made === 0) return { calls: [{ name: word, arguments: {} }] };
    if (verb === "model") return made === 0 && more ? troubled(word) : { text: "ok" };
    if (verb !== "make" || made >= Number(more)) return { text: "ok", usage: { input: 10, output: 1 } };
    return { calls: [{ name: "create_pet", arguments: { name: `${word}.${made}` } }] };
  };
}
