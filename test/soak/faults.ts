// Every fault, in the order of the table.
import type { Fault } from "./fault.js";
import { frameNoise, frozen, unread } from "./faults/clients.js";
import { clock } from "./faults/clock.js";
import { crowd } from "./faults/crowd.js";
import { descriptions } from "./faults/descriptions.js";
import { corrupt, full, readOnly } from "./faults/disk.js";
import { folders } from "./faults/folders.js";
import { fuzz } from "./faults/fuzz.js";
import { hostile } from "./faults/hostile.js";
import { hostileModel } from "./faults/hostile-model.js";
import { kill, slowKill } from "./faults/kill.js";
import { locked } from "./faults/locked.js";
import { model } from "./faults/model.js";
import { readers } from "./faults/readers.js";
import { servers } from "./faults/servers.js";
import { steady } from "./faults/steady.js";
import { taken } from "./faults/taken.js";
import { target } from "./faults/target.js";

export const FAULTS: readonly Fault[] = [
  kill,
  slowKill,
  target,
  model,
  hostileModel,
  full,
  readOnly,
  locked,
  corrupt,
  taken,
  clock,
  crowd,
  unread,
  readers,
  frozen,
  frameNoise,
  fuzz,
  folders,
  hostile,
  descriptions,
  servers,
  steady,
];
