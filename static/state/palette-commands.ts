// What the palette can do beside what has a key: colours, modes, the open conversation, the keys themselves.
import { COMMANDS, letterKeys, setLetterKeys } from "./commands.js";
import { currentId } from "./conversations.js";
import { sessions } from "./daemon.js";
import { chosenModes, MODES, setMode, startupModes } from "./modes.js";
import { navigate } from "./route.js";
import { exportSession } from "./session-list.js";
import { setTheme } from "./theme.js";

/** One thing to do. */
interface PaletteCommand {
  label: string;
  /** Its keys, or what is said of it. */
  note?: string | undefined;
  /** Other words for it, by which it is found. */
  words: string;
  run(): void;
}

const COLOURS = "theme colors appearance mode scheme";

/** A mode that the daemon was started with cannot be turned off, and has nothing to choose. */
function modeCommands(): PaletteCommand[] {
  return MODES.filter(({ name }) => !startupModes.peek()[name]).map(({ name, label, explanation }) => {
    const isOn = chosenModes.peek()[name] === true;
    const words = `safety mode switch ${isOn ? "disable" : "enable"} ${name} ${name.replace("_", "")}`;
    const run = () => setMode(name, !isOn);
    return { label: `Turn ${label.toLowerCase()} ${isOn ? "off" : "on"}`, note: explanation, words, run };
  });
}

function sessionCommands(): PaletteCommand[] {
  const session = sessions.peek().find(({ session_id }) => session_id === currentId.peek());
  if (session === undefined) return [];
  return (["Markdown", "JSON"] as const).map((format) => ({
    label: `Export this conversation as ${format}`,
    words: "save download file session chat",
    run: () => void exportSession(session, format),
  }));
}

/** All that can be done now. */
export function paletteCommands(): PaletteCommand[] {
  const isOn = letterKeys.peek();
  return [
    ...COMMANDS.map(({ label, keys, run }) => ({ label, note: keys.join(" "), words: "", run })),
    ...sessionCommands(),
    ...modeCommands(),
    { label: "Dark colours", words: `${COLOURS} night`, run: () => setTheme("dark") },
    { label: "Light colours", words: `${COLOURS} day`, run: () => setTheme("light") },
    { label: "Colours as the system has them", words: COLOURS, run: () => setTheme("system") },
    {
      label: `Turn keys of a single letter ${isOn ? "off" : "on"}`,
      words: "shortcuts keyboard hotkeys",
      run: () => setLetterKeys(!isOn),
    },
    { label: "Connect an application", words: "add new openapi graphql", run: () => navigate({ kind: "connect" }) },
  ];
}
