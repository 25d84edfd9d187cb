// What the planner writes when it has no tools: chat clients ask for a title, tags or questions to go on with, in a JSON object
// they describe. Takes words of the conversation, and invents none.

/** How chat clients begin what they ask for by themselves. */
const TASK = /^\s*#{1,4}\s*Task:/i;
/** The field of the object that is asked for. */
const FIELD = /\{\s*"(title|tags|follow_ups|queries|text)"\s*:/;
/** Words of a title. */
const MAX_TITLE_WORDS = 6;
const MAX_TITLE_CHARS = 60;

/** The first thing a person said in the conversation that a task is about; "" when there is none. */
function firstSaid(task: string): string {
  const history = /<chat_history>([\s\S]*?)<\/chat_history>/i.exec(task)?.[1] ?? "";
  return (/^\s*USER:\s*(.+)$/im.exec(history)?.[1] ?? "").trim();
}

function titleOf(task: string): string {
  const words = firstSaid(task).split(/\s+/).slice(0, MAX_TITLE_WORDS).join(" ").slice(0, MAX_TITLE_CHARS);
  const title = words.replace(/[\s.,;:!?]+$/, "");
  return title === "" ? "Conversation" : title[0]?.toUpperCase() + title.slice(1);
}

/** The answer to a task of a chat client; undefined for any other prompt. */
export function taskText(prompt: string): string | undefined {
  if (!TASK.test(prompt)) return undefined;
  switch (FIELD.exec(prompt)?.[1]) {
    case "title":
      return JSON.stringify({ title: titleOf(prompt) });
    case "tags":
      return JSON.stringify({ tags: ["General"] });
    case "follow_ups":
      return JSON.stringify({ follow_ups: [] });
    case "queries":
      return JSON.stringify({ queries: [] });
    case "text":
      return JSON.stringify({ text: "" });
    default:
      return titleOf(prompt);
  }
}
