// The arguments of a form saved under a title, as an action: fields of their own below the buttons, which stay where they are.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { errorText } from "../../state/api.js";
import { saveAction } from "../../state/direct-calls.js";
import { useFocusBack } from "../focus-back.js";

/** Characters of a title that is proposed. */
const MAX_PROPOSED = 60;
/** The longest title that the daemon takes. */
const MAX_TITLE = 200;

/** What an action is saved under. */
interface ActionLabel {
  title: string;
  pinned: boolean;
}

/** The title, which takes the focus, and whether the action is pinned. Enter saves, Escape leaves. */
function SaveFields(props: { title: string; onSave(label: ActionLabel): void; onCancel(): void }) {
  const { onSave, onCancel } = props;
  const [title, setTitle] = useState(props.title);
  const [pinned, setPinned] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && event.target === field.current) onSave({ title, pinned });
    else return;
    // The form around it would make the call.
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields inside
    <div class="save-action" onKeyDown={onKeyDown}>
      <input
        ref={field}
        aria-label="Title of the action"
        value={title}
        maxLength={MAX_TITLE}
        onInput={({ currentTarget: { value } }) => setTitle(value)}
      />
      <label>
        <input type="checkbox" checked={pinned} onChange={() => setPinned(!pinned)} /> On the start page
      </label>
      <button type="button" onClick={() => onSave({ title, pinned })}>
        Save
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** Saves the arguments that `read` finds in the form, if they are complete, under a title. */
export function SaveAction({ tool, read }: { tool: Tool; read: () => JsonObject | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState("");
  const button = useFocusBack<HTMLButtonElement>(isOpen);
  const save = async (label: ActionLabel) => {
    const args = read();
    if (args === undefined) return setOutcome("Something in the form has to be mended first.");
    try {
      await saveAction({ ...label, tool: tool.name, arguments: args });
      setOpen(false);
      setOutcome("Saved.");
    } catch (error) {
      setOutcome(errorText(error));
    }
  };
  const toggle = () => {
    setOutcome("");
    setOpen(!isOpen);
  };
  return (
    <>
      <button ref={button} type="button" aria-expanded={isOpen} onClick={toggle}>
        Save as action
      </button>
      {isOpen && (
        <SaveFields
          title={tool.description.split("\n")[0]?.slice(0, MAX_PROPOSED) || tool.name}
          onSave={(label) => void save(label)}
          onCancel={toggle}
        />
      )}
      <span class="faint" role="status">
        {outcome}
      </span>
    </>
  );
}
