// Whether V8 gives two objects the same hidden class: only then is what reads one of them fast for the other.
import { setFlagsFromString } from "node:v8";

setFlagsFromString("--allow-natives-syntax");

/** Both objects must be at the same stage of their lives. */
export const haveSameClass = new Function("one", "other", "return %HaveSameMap(one, other)") as (
  one: object,
  other: object,
) => boolean;
