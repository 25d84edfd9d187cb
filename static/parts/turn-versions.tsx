// The way between the versions of a prompt: "2 of 3", with an arrow to the one before and one to the next.
import { versionsOf } from "../state/versions.js";
import type { Turn } from "../turn/turn.js";
import { ViewLink } from "./view-link.js";

/** The arrows, where there is more than one version. */
export function TurnVersions({ turn }: { turn: Turn }) {
  const versions = versionsOf(turn);
  if (versions === undefined) return null;
  const { list, at } = versions;
  const arrow = (to: number, sign: string, name: string) => {
    const version = list[to];
    if (version === undefined) return <span aria-hidden="true">{sign}</span>;
    return (
      <ViewLink view={{ kind: "chat", ...version }} current={false} title={name}>
        <span aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{name}</span>
      </ViewLink>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing here is a field of a form
    <span class="turn-versions" role="group" aria-label="Versions of this prompt">
      {arrow(at - 1, "‹", "Previous version")}
      <span>{`${at + 1} of ${list.length}`}</span>
      {arrow(at + 1, "›", "Next version")}
    </span>
  );
}
