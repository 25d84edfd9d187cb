// The ways to look at a value, of which one is chosen.
import { useEffect, useRef } from "preact/hooks";

/** One way to look at it. */
interface ViewTab {
  name: string;
  isChosen: boolean;
  /** Whether it is less likely what is wanted. */
  isQuiet?: boolean;
  onChoose(): void;
}

/** The buttons for the ways to look at a value. `takesFocus`: the chosen one does, for it replaces the one that was pressed. */
export function ViewTabs({ tabs, takesFocus = false }: { tabs: readonly ViewTab[]; takesFocus?: boolean }) {
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) chosen.current?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form
    <div class="view-tabs" role="group" aria-label="View">
      {tabs.map(({ name, isChosen, isQuiet, onChoose }) => (
        <button
          type="button"
          key={name}
          ref={isChosen ? chosen : undefined}
          aria-pressed={isChosen}
          class={isQuiet ? "quiet" : undefined}
          onClick={onChoose}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
