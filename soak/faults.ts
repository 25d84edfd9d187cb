// Every fault, in the order of the table.
import type { Fault } from "./fault.js";
import { kill } from "./faults/kill.js";
import { model } from "./faults/model.js";
import { target } from "./faults/target.js";

export const FAULTS: readonly Fault[] = [kill, target, model];
