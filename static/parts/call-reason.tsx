// Why a call failed or was not sent, above all else that is known of it; and its result below, folded where it says the same.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { JsonValue } from "../../src/lib/json.js";
import { loadRowResult } from "../state/results.js";
import { whyNotSent } from "../turn/not-sent.js";
import { failureOf, reasonOf } from "../turn/reason.js";
import { Folded } from "./folded.js";
import { LoadedValue } from "./loaded-value.js";
import { Revealed } from "./reveal.js";
import { Value } from "./value.js";

/** A call that has an answer, or will have one. */
interface AnsweredCall {
  status: HistoryStatus;
  result: JsonValue;
}

/** Why a call failed, in the application's own words. */
export function CallFailure({ text }: { text: string }) {
  return (
    <p class="failure call-failure" dir="auto">
      <Revealed text={text} lines="break" />
    </p>
  );
}

/** The application's own reason, or why nothing was sent; nothing for a call that succeeded. `isOwn` for a call of this page. */
export function CallReason({ status, result, isOwn }: AnsweredCall & { isOwn: boolean }) {
  const failure = failureOf({ status, result });
  if (failure !== "") return <CallFailure text={failure} />;
  // Of any other call it is not known here who refused it.
  const text = status === "denied" && !isOwn ? reasonOf(result) : whyNotSent(status, result);
  if (text === undefined) return null;
  return (
    <p class="notice" dir="auto">
      <Revealed text={text} lines="break" />
    </p>
  );
}

/** The result of a call, as far as there is one. `result_bytes` is set where it is so large that it is loaded apart. */
export function CallResultView(
  props: AnsweredCall & { id: number | undefined; tool: string; result_bytes?: number | undefined },
) {
  const { status, result, id, tool, result_bytes } = props;
  if (status === "held") return <p class="faint">It waits for a person's yes; there is no result yet.</p>;
  if (status === "pending") return <p class="faint">It is in flight; there is no result yet.</p>;
  if (result_bytes !== undefined && id !== undefined)
    return (
      <LoadedValue load={() => loadRowResult(id)} length={result_bytes} label="Result" history_id={id} tool={tool} />
    );
  const isFolded = failureOf(props) !== "";
  const value = <Value value={result} label={isFolded ? "Answer" : "Result"} history_id={id} tool={tool} />;
  return isFolded ? <Folded label="Answer as it came">{value}</Folded> : value;
}
