// Scores as tables: every reason for or against something is a row with its weight and its explanation.
// Facts go in, a number comes out; knows nothing of what is judged.

/** One reason for or against. */
export interface Signal<Facts> {
  /** How far the reason applies: yes or no, or a share. */
  signal: (facts: Facts) => boolean | number;
  /** What it adds to the score when it applies in full; negative when it counts against. */
  weight: number;
  why: string;
}

/** The score with what these signals add to it, in the order of the table. */
export function addSignals<Facts>(score: number, signals: readonly Signal<Facts>[], facts: Facts): number {
  let sum = score;
  for (const { signal, weight } of signals) sum += weight * Number(signal(facts));
  return sum;
}

/** The weight of the first signal that applies; 0 when none does. */
export function firstSignal<Facts>(signals: readonly Signal<Facts>[], facts: Facts): number {
  return signals.find(({ signal }) => signal(facts))?.weight ?? 0;
}
