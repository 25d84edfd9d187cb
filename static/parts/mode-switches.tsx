// The safety modes as switches; one that the daemon was started with is locked on.
import { chosenModes, MODES, type Mode, setMode, startupModes } from "../state/modes.js";
import { Icon } from "./icons.js";

function ModeSwitch({ mode }: { mode: Mode }) {
  const locked = startupModes.value[mode.name];
  const on = locked || chosenModes.value[mode.name] === true;
  const title = locked
    ? `${mode.explanation} Set when the daemon was started; it cannot be turned off here.`
    : mode.explanation;
  return (
    <button
      type="button"
      role="switch"
      class="mode"
      aria-checked={on}
      aria-disabled={locked}
      title={title}
      onClick={() => !locked && setMode(mode.name, !on)}
    >
      {locked ? <Icon name="lock" /> : <span class="mode-mark" aria-hidden="true" />}
      {mode.label}
      {locked && <span class="visually-hidden"> (set at startup)</span>}
    </button>
  );
}

/** All modes. */
export function ModeSwitches() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser
    <div class="modes" role="group" aria-label="Safety modes for your prompts">
      {MODES.map((mode) => (
        <ModeSwitch key={mode.name} mode={mode} />
      ))}
    </div>
  );
}
