// The button of a decision. One that destroys something is pressed for a second, by pointer or key, with its progress in view; a short
// press, or a click that assistive technology makes, asks once more in the same place instead.
import { useEffect, useRef, useState } from "preact/hooks";

/** How long it is pressed. */
const HOLD_MS = 1_000;

/** A button of a question. */
export interface DecisionButton {
  label: string;
  /** What it is called where its label changes: it stays the same button, and keeps the focus. */
  slot?: string;
  action(): void;
  class?: string;
  disabled?: boolean;
  /** What it says when it asks once more; set for one that is held. */
  heldLabel?: string | undefined;
}

interface HoldProps extends DecisionButton {
  /** Whether it has been where it is for long enough; for display. */
  settled: boolean;
  /** The same, at the moment it is asked. */
  isSettled(): boolean;
  describedBy: string;
  /** Whether it asks once more. */
  isSecond: boolean;
  onShort(): void;
}

const isPress = ({ key }: KeyboardEvent): boolean => key === "Enter" || key === " ";

/** A button that acts after a second of being pressed. */
export function HoldButton(props: HoldProps) {
  const { label, heldLabel, action, disabled, settled, isSettled, describedBy, isSecond, onShort } = props;
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Whether a key went down here: one that went down elsewhere does not count. */
  const isDown = useRef(false);
  const release = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  useEffect(() => release, []);
  const press = () => {
    if (disabled || isSecond || timer.current !== undefined || !isSettled()) return;
    setHeld(true);
    timer.current = setTimeout(() => {
      release();
      if (isSettled()) action();
    }, HOLD_MS);
  };
  const click = () => {
    release();
    if (!isSettled()) return;
    if (isSecond) action();
    else onShort();
  };
  return (
    <button
      type="button"
      class={`${props.class ?? ""} hold${isHeld ? " held" : ""}`}
      disabled={disabled}
      aria-disabled={!settled}
      aria-describedby={describedBy}
      onPointerDown={(event) => event.button === 0 && press()}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => isHeld && event.preventDefault()}
      onBlur={release}
      onKeyDown={(event) => {
        if (!isPress(event)) return;
        event.preventDefault();
        if (event.repeat) return;
        isDown.current = true;
        press();
      }}
      onKeyUp={(event) => {
        if (!isPress(event)) return;
        event.preventDefault();
        const wasDown = isDown.current;
        isDown.current = false;
        if (wasDown && (isSecond || timer.current !== undefined)) click();
      }}
      onClick={click}
    >
      {isSecond ? heldLabel : isHeld ? "Keep holding…" : label}
    </button>
  );
}
