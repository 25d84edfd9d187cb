// A pinned action on the start page: a button that makes its call, and the answer below it. A change is held, dry or made by the modes
// in force, as any call.
import { useState } from "preact/hooks";
import type { CallAnswer } from "../../../src/domain/agent.js";
import type { SavedAction } from "../../../src/domain/saved-action.js";
import { errorText } from "../../state/api.js";
import { toolsByName } from "../../state/daemon.js";
import { callTool, deleteAction } from "../../state/direct-calls.js";
import { Spinner } from "../icons.js";
import { Revealed } from "../reveal.js";
import { SafetyTag } from "../tags.js";
import { ViewLink } from "../view-link.js";
import { CallOutcome } from "./call-outcome.js";

/** A pinned action. */
export function PinnedAction({ action }: { action: SavedAction }) {
  const [answer, setAnswer] = useState<CallAnswer | undefined>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState("");
  const tool = toolsByName.value.get(action.tool);
  const attempt = async (work: () => Promise<void>) => {
    setError("");
    setRunning(true);
    try {
      await work();
    } catch (failure) {
      setError(errorText(failure));
    } finally {
      setRunning(false);
    }
  };
  const run = () =>
    attempt(async () => {
      const signal = new AbortController().signal;
      setAnswer(await callTool(action.tool, { arguments: action.arguments, modes: {}, signal }));
    });
  return (
    <div class="pinned-action">
      <div class="tool-buttons">
        <button
          type="button"
          disabled={!action.available}
          aria-disabled={isRunning}
          onClick={() => !isRunning && void run()}
        >
          {isRunning && <Spinner />} <Revealed text={action.title} />
        </button>
        {tool && tool.safety !== "read_only" && <SafetyTag safety={tool.safety} />}
        {action.available ? (
          <ViewLink view={{ kind: "tool", tool: action.tool }} current={false}>
            Tool
          </ViewLink>
        ) : (
          <span class="faint">its tool is gone</span>
        )}
        <button type="button" class="link" onClick={() => void attempt(() => deleteAction(action.id))}>
          Delete
        </button>
      </div>
      {error !== "" && <p class="error-text">{error}</p>}
      {answer && <CallOutcome answer={answer} tool={action.tool} />}
    </div>
  );
}
