// The palette: a field and a list of all that it finds, worked by the keyboard alone. The focus stays in the field; the chosen option is
// named by aria-activedescendant. Source: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
import { useEffect, useRef, useState } from "preact/hooks";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { overlay } from "../state/commands.js";
import { type Found, findAnything, found } from "../state/palette.js";
import "../style/palette.css";

const optionId = (at: number): string => `palette-${at}`;

function Option({ one, at, isChosen, onRun }: { one: Found; at: number; isChosen: boolean; onRun: () => void }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does the same
    <div id={optionId(at)} role="option" class="palette-option" aria-selected={isChosen} onClick={onRun}>
      <span class="palette-label" dir="auto">
        {inItsOrder(one.label)}
      </span>
      {one.note !== undefined && (
        <span class="palette-note faint" dir="auto">
          {inItsOrder(one.note)}
        </span>
      )}
    </div>
  );
}

function Options({ at, run }: { at: number; run: (one: Found) => void }) {
  const list = found.value;
  const groups = Object.entries(Object.groupBy(list, ({ group }) => group));
  return (
    <div id="palette-list" class="palette-list" role="listbox" aria-label="Found">
      {groups.map(([name, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
        <div key={name} role="group" aria-label={name}>
          <p class="palette-group faint" aria-hidden="true">
            {name}
          </p>
          {members?.map((one) => {
            const place = list.indexOf(one);
            return <Option key={one.id} one={one} at={place} isChosen={place === at} onRun={() => run(one)} />;
          })}
        </div>
      ))}
      {list.length === 0 && <p class="faint">Nothing found.</p>}
    </div>
  );
}

/** The palette, open. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(0);
  const size = found.value.length;
  const chosen = Math.min(at, Math.max(0, size - 1));
  useEffect(() => {
    findAnything("");
    dialog.current?.showModal();
  }, []);
  useEffect(() => document.getElementById(optionId(chosen))?.scrollIntoView({ block: "nearest" }), [chosen]);
  // The close event comes later than the closing: a key pressed in between must find it closed.
  const close = () => {
    dialog.current?.close();
    overlay.value = null;
  };
  const run = (one: Found | undefined) => {
    if (one === undefined) return;
    close();
    one.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 + size }[event.key];
    if (event.key === "Enter") run(found.peek()[chosen]);
    else if (to !== undefined && size > 0) setAt(to % size);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find anything"
      onCancel={close}
      onClose={({ currentTarget }) => currentTarget.isConnected && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Find anything"
        aria-expanded={size > 0}
        aria-controls="palette-list"
        aria-activedescendant={size > 0 ? optionId(chosen) : undefined}
        aria-autocomplete="list"
        placeholder="Find a command, session, tool or call"
        autocomplete="off"
        dir="auto"
        maxLength={200}
        onInput={(event) => {
          setAt(0);
          findAnything(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <Options at={chosen} run={run} />
    </dialog>
  );
}
