// The settings of how long, and how much, is kept. Source: docs/reference.md, "Retention"
import { wholeNumber } from "./kinds.js";
import { setting } from "./setting.js";

/** A terabyte: a larger number is a mistake. */
const MAX_KEPT_BYTES = 1024 ** 4;

/** Their rows. */
export const KEEPING_SETTINGS = {
  historyKeepDays: setting({
    name: "history_keep_days",
    needsRestart: true,
    kind: wholeNumber(1, 36_500),
    defaultText: "for ever",
    description: "Days completed calls and decided confirmations are kept",
    more: "[more](reference.md#retention)",
  }),
  sessionKeepDays: setting({
    name: "session_keep_days",
    needsRestart: true,
    kind: wholeNumber(1, 36_500),
    defaultText: "for ever",
    description: "Days a conversation is kept after its last use",
    more: "[more](reference.md#retention)",
  }),
  keptResultBytes: setting({
    name: "kept_result_bytes",
    needsRestart: true,
    kind: wholeNumber(0, MAX_KEPT_BYTES),
    default: 64 * 1024 * 1024,
    description: "Bytes kept of a result that is longer than its history row; 0 for none",
    more: "[more](reference.md#whole-results)",
  }),
  keptResultsBytes: setting({
    name: "kept_results_bytes",
    needsRestart: true,
    kind: wholeNumber(0, MAX_KEPT_BYTES),
    default: 1024 * 1024 * 1024,
    description: "Bytes of all such results together; the oldest leave first",
    more: "[more](reference.md#whole-results)",
  }),
};
