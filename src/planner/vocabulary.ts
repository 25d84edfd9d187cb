// The terms that tools are called by, and those that are written about them: a word of a prompt among them may be meant for the tools.

import { ownName, type Tool } from "../domain/tool.js";
import { terms } from "../tools/search/terms.js";
import { slotsOf } from "./slots/slot.js";

const called = new WeakMap<readonly Tool[], ReadonlySet<string>>();
const applied = new WeakMap<readonly Tool[], ReadonlySet<string>>();
const written = new WeakMap<readonly Tool[], ReadonlySet<string>>();

function kept(
  found: WeakMap<readonly Tool[], ReadonlySet<string>>,
  tools: readonly Tool[],
  termsOf: (tool: Tool) => readonly string[],
): ReadonlySet<string> {
  let known = found.get(tools);
  if (!known) found.set(tools, (known = new Set(tools.flatMap(termsOf))));
  return known;
}

const termsCalled = (tool: Tool): string[] => [
  ...[ownName(tool), tool.resource, tool.transport.path ?? ""].flatMap(terms),
  ...slotsOf(tool).flatMap(({ label, options }) => [...label, ...options.flatMap((one) => terms(String(one)))]),
];

/** The terms that tools, what they take and its options are called by. */
export const calledTerms = (tools: readonly Tool[]): ReadonlySet<string> => kept(called, tools, termsCalled);

/** Those of the tools of applications. */
export const appliedTerms = (tools: readonly Tool[]): ReadonlySet<string> =>
  kept(applied, tools, (tool) => (tool.transport.kind === "builtin" ? [] : termsCalled(tool)));

/** The terms that tools are called by, and those of their descriptions. */
export const writtenTerms = (tools: readonly Tool[]): ReadonlySet<string> =>
  kept(written, tools, (tool) => [
    ...termsCalled(tool),
    ...terms(tool.description),
    ...slotsOf(tool).flatMap(({ description }) => terms(description)),
  ]);
