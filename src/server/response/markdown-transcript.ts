// A conversation as Markdown, for a person to keep: prompts as quotations, answers as they are, calls and their results as code.
// Source: docs/reference.md, "Sessions and turns".
import type { Message } from "../../domain/message.js";
import type { TranscriptTurn } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";

/** Code that nothing in it ends. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const quoted = (text: string): string => text.replace(/^/gm, "> ");

/** One line of text in a heading, where nothing of it is markup. */
const plain = (text: string): string => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|!&~]/g, "\\$&");

function partsOf(message: Message): string[] {
  switch (message.role) {
    case "user":
      return [];
    case "notice":
      return [`*${plain(message.text)}*`];
    case "assistant": {
      const calls = message.calls.map(
        ({ name, arguments: args }) => `Call: **${plain(name)}**\n\n${fenced(toJson(args, 2), "json")}`,
      );
      return [...(message.text === "" ? [] : [message.text]), ...calls];
    }
    case "tool":
      return [
        `Result of **${plain(message.name)}**${message.is_error ? " (error)" : ""}\n\n${fenced(message.text, "json")}`,
      ];
    default:
      return message satisfies never;
  }
}

function turnText({ prompt, started_at, provider, model, status, error, messages }: TranscriptTurn): string {
  const end =
    status === "done" ? [] : [`*${plain(error === "" || error === status ? status : `${status}: ${error}`)}*`];
  const head = `## ${started_at} · ${plain(`${provider} ${model}`)}`;
  return [head, quoted(prompt), ...messages.flatMap(partsOf), ...end].join("\n\n");
}

/** The conversation in pieces, its turns in their order. */
export async function* markdownOf(
  session: { session_id: string; title: string },
  turns: Iterable<TranscriptTurn> | AsyncIterable<TranscriptTurn>,
): AsyncGenerator<string, void, void> {
  yield `# ${plain(session.title) || "Conversation"}\n\nSession \`${session.session_id.replaceAll("`", "'")}\`\n`;
  for await (const turn of turns) yield `\n${turnText(turn)}\n`;
}
