// A call by hand: the arguments in a form, the answer below, or the confirmation that it waits for; and the arguments saved as an action.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CallAnswer } from "../../../src/domain/agent.js";
import { faultsOf } from "../../../src/domain/argument-fault.js";
import { type FormDraft, firstDraft, formPart, partAnswer } from "../../../src/domain/schema-form.js";
import type { Tool } from "../../../src/domain/tool.js";
import { isObject, type JsonObject } from "../../../src/lib/json.js";
import { errorText } from "../../state/api.js";
import { callTool } from "../../state/direct-calls.js";
import { useFocusBack } from "../focus-back.js";
import { Spinner } from "../icons.js";
import { type PlacedFaults, placeFaults, withoutMended } from "../schema/faults.js";
import { SchemaForm } from "../schema/form.js";
import { placeOfAll } from "../schema/whole.js";
import { CallOutcome } from "./call-outcome.js";
import { SaveAction } from "./save-action.js";

/** What the daemon says is wrong with the arguments, at the parts of the form. */
function faultsIn({ result }: CallAnswer, { input_schema: schema }: Tool, draft: FormDraft | undefined): PlacedFaults {
  return placeFaults(faultsOf(result), { schema, draft, place: placeOfAll(schema) });
}

/** What is focused when something is wrong: the first field, or else what says so above them. */
const INVALID = '[aria-invalid="true"], [data-invalid="true"]';

/** That the daemon refused the arguments, with what belongs to no field. */
function Refused({ faults }: { faults: PlacedFaults }) {
  const rest = faults.get("");
  return (
    <div role="alert">
      {faults.size > 0 && (
        <p class="failure" tabIndex={-1} data-invalid={rest !== undefined}>
          Refused; nothing was sent. {rest ?? "What has to be mended stands beside its field."}
        </p>
      )}
    </div>
  );
}

/** The arguments of a form; undefined while something is wrong with them. */
function argumentsOf(tool: Tool, draft: FormDraft | undefined): JsonObject | undefined {
  const answer = partAnswer(tool.input_schema, draft, placeOfAll(tool.input_schema));
  if ("errors" in answer) return undefined;
  const { value = {} } = answer as { value?: unknown };
  return isObject(value as JsonObject) ? (value as JsonObject) : undefined;
}

/** While the call runs, its button does nothing and keeps the focus; it takes it back from what stops the waiting. */
function RunButtons(props: { tool: Tool; isRunning: boolean; onDryRun(): void; onStop(): void }) {
  const { tool, isRunning } = props;
  const submit = useFocusBack<HTMLButtonElement>(isRunning);
  return (
    <>
      <button ref={submit} type="submit" class="primary" aria-disabled={isRunning}>
        Run
      </button>
      {tool.safety !== "read_only" && (
        <button type="button" aria-disabled={isRunning} onClick={props.onDryRun}>
          Dry run
        </button>
      )}
      {isRunning && (
        <button type="button" onClick={props.onStop}>
          <Spinner /> Stop waiting
        </button>
      )}
    </>
  );
}

/** Whether there is nothing to fill in: no parameters, and no JSON of an earlier call that had some. */
function takesNothing({ input_schema: schema }: Tool, draft: FormDraft | undefined): boolean {
  const part = formPart(schema, placeOfAll(schema));
  return part.kind === "members" && part.properties.length === 0 && !(draft && "json" in draft);
}

/** The form of a call, and what became of it. `draft` is what the form begins with. */
export function ToolCall(props: { tool: Tool; draft?: FormDraft | undefined; onDone?: () => void }) {
  const { tool, onDone } = props;
  const [draft, setDraft] = useState(() => props.draft ?? firstDraft(tool.input_schema, placeOfAll(tool.input_schema)));
  const [isChecked, setChecked] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [answer, setAnswer] = useState<CallAnswer | undefined>();
  const [faults, setFaults] = useState<PlacedFaults>(new Map());
  const [error, setError] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  // Once the errors are there.
  const focusFirst = () => setTimeout(() => form.current?.querySelector<HTMLElement>(INVALID)?.focus());
  const read = (): JsonObject | undefined => {
    setChecked(true);
    const args = argumentsOf(tool, draft);
    if (args === undefined) focusFirst();
    return args;
  };
  const run = async (modes: { dry_run?: true }) => {
    if (isRunning) return;
    const args = read();
    if (args === undefined) return;
    setError("");
    setRunning(true);
    stop.current = new AbortController();
    try {
      const called = await callTool(tool.name, { arguments: args, modes, signal: stop.current.signal });
      const refused = faultsIn(called, tool, draft);
      setFaults(refused);
      // What the form says beside its fields is not said again below it.
      setAnswer(refused.size === 0 ? called : undefined);
      if (refused.size > 0) focusFirst();
      onDone?.();
    } catch (failure) {
      if (!stop.current.signal.aborted) setError(errorText(failure));
    } finally {
      setRunning(false);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void run({});
  };
  return (
    <>
      <form ref={form} class="tool-form" aria-label={`Call ${tool.name}`} onSubmit={submit}>
        <h2>Call it by hand</h2>
        <Refused faults={faults} />
        {takesNothing(tool, draft) ? (
          <p class="faint">Takes no parameters.</p>
        ) : (
          <SchemaForm
            schema={tool.input_schema}
            draft={draft}
            isChecked={isChecked}
            faults={faults}
            onMended={(pointer) => setFaults((now) => withoutMended(now, pointer))}
            onChange={setDraft}
          />
        )}
        <div class="tool-buttons">
          <RunButtons
            tool={tool}
            isRunning={isRunning}
            onDryRun={() => void run({ dry_run: true })}
            onStop={() => stop.current?.abort()}
          />
          <SaveAction tool={tool} read={read} />
        </div>
      </form>
      <p class="error-text" role="alert">
        {error}
      </p>
      {answer && <CallOutcome key={answer.call_id} answer={answer} tool={tool.name} />}
    </>
  );
}
