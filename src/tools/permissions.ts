// Which permission of config.json counts for a tool: the most exact rule of each table, and the strictest of the tables.
// Source: docs/reference.md, "Permissions".
import { isDeepStrictEqual } from "node:util";
import type { ApplicationSettings } from "../config/application.js";
import { PERMISSIONS, type Permission, type PermissionTable } from "../domain/permission.js";
import type { Action } from "../domain/schema-document.js";
import { didYouMean } from "../lib/did-you-mean.js";

/** The tables of one configuration. */
export interface PermissionRules {
  /** By full names. */
  all: PermissionTable;
  /** By the tools' own names within each application, "" for the one without a name. */
  own: ReadonlyMap<string, PermissionTable>;
}

/** One rule that fits a tool. */
interface FittingRule extends Permission {
  name: string;
}

type NamedAction = Pick<Action, "name" | "application" | "ownName">;

const strictness = ({ is }: Permission): number => PERMISSIONS.indexOf(is);
/** Saying nothing is stricter than to allow: the modes decide. */
const NOTHING = 0.5;

/** What of a configuration says something of tools. */
interface PermissionSettings {
  permissions: PermissionTable;
  target: Pick<ApplicationSettings, "permissions">;
  applications: ReadonlyMap<string, Pick<ApplicationSettings, "permissions">>;
}

/** The tables of a configuration. */
export function permissionRules(settings: PermissionSettings): PermissionRules {
  const { permissions: all, target, applications } = settings;
  const named = [...applications].map(([name, { permissions }]) => [name, permissions] as const);
  return { all, own: new Map([["", target.permissions], ...named]) };
}

/** What the configurations since the start say, each once. */
export function rulesSince(
  earlier: readonly PermissionRules[],
  settings: PermissionSettings,
): readonly PermissionRules[] {
  const rules = permissionRules(settings);
  return earlier.some((one) => isDeepStrictEqual(one, rules)) ? earlier : [...earlier, rules];
}

const keyOf = (application: string): string =>
  application === "" ? "target.permissions" : `applications.${application}.permissions`;

const isPattern = (name: string): boolean => name.includes("*");

/** Piece by piece from the left, each where it first stands: no pattern takes longer than one pass over the name. */
function fits(name: string, tool: string): boolean {
  const [beginning = "", ...pieces] = name.split(/\*+/);
  const end = pieces.pop();
  if (end === undefined) return name === tool;
  if (!tool.startsWith(beginning)) return false;
  let at = beginning.length;
  for (const piece of pieces) {
    const found = tool.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return tool.endsWith(end) && tool.length - end.length >= at;
}

/** A name before patterns, of patterns the one that says more of the name, then the stricter one. */
function mostExact(rules: readonly FittingRule[]): FittingRule | undefined {
  const letters = ({ name }: FittingRule): number => name.replaceAll("*", "").length;
  const order = (a: FittingRule, b: FittingRule): number =>
    Number(isPattern(a.name)) - Number(isPattern(b.name)) || letters(b) - letters(a) || strictness(b) - strictness(a);
  return [...rules].sort(order)[0];
}

function ruleFor(table: PermissionTable, tool: string, key: string): FittingRule | undefined {
  const fitting = Object.entries(table).filter(([name]) => fits(name, tool));
  return mostExact(fitting.map(([name, is]) => ({ name, is, rule: `${key}.${name}` })));
}

/** What one configuration says of a tool: the stricter of what it says in general and for its application. */
function permissionIn({ all, own }: PermissionRules, { name, application, ownName = name }: NamedAction) {
  const rules = [
    ruleFor(all, name, "permissions"),
    ruleFor(own.get(application) ?? {}, ownName, keyOf(application)),
  ].flatMap((rule) => rule ?? []);
  return rules.sort((a, b) => strictness(b) - strictness(a))[0];
}

/** What the configurations since the start say of a tool: the strictest, so that none that is read later relaxes anything. */
export function permissionOf(configurations: readonly PermissionRules[], action: NamedAction): Permission | undefined {
  const order = (rule: Permission | undefined): number => (rule ? strictness(rule) : NOTHING);
  const strictest = configurations
    .map((rules) => permissionIn(rules, action))
    .reduce((a, b) => (order(b) > order(a) ? b : a));
  return strictest && { is: strictest.is, rule: strictest.rule };
}

/** No application has this name. */
const ANY = "*";

/** A tool for each rule, called like the rule: it stands for all that the rule fits. */
function toolsOf({ all, own }: PermissionRules): NamedAction[] {
  const ownTools = [...own].flatMap(([application, table]) =>
    Object.keys(table).map((ownName) => ({
      name: application === "" ? ownName : `${application}_${ownName}`,
      ownName,
      application,
    })),
  );
  return [...Object.keys(all).map((name) => ({ name, application: ANY })), ...ownTools];
}

/** The rules that stay as strict as they were in an earlier configuration, though this one says less, or newly allows. */
export function keptRules(earlier: readonly PermissionRules[], settings: PermissionSettings): string[] {
  const rules = permissionRules(settings);
  const kept = [...earlier, rules].flatMap(toolsOf).flatMap((tool) => {
    const [strictest, read] = [permissionOf([...earlier, rules], tool), permissionOf([rules], tool)];
    return strictest?.is === read?.is ? [] : ((strictest ?? read)?.rule ?? []);
  });
  return [...new Set(kept)];
}

/** A sentence for each rule that no tool has, with the nearest name. */
export function unusedRules({ all, own }: PermissionRules, actions: readonly NamedAction[]): string[] {
  const inTable = (table: PermissionTable, key: string, names: readonly string[]): string[] =>
    Object.keys(table)
      .filter((name) => !names.some((tool) => fits(name, tool)))
      .map((name) => `${key}.${name} fits no tool.${isPattern(name) ? "" : didYouMean(name, names)}`);
  const ownNames = (application: string): string[] =>
    actions.filter((one) => one.application === application).map(({ name, ownName = name }) => ownName);
  return [
    ...inTable(
      all,
      "permissions",
      actions.map(({ name }) => name),
    ),
    ...[...own].flatMap(([application, table]) => inTable(table, keyOf(application), ownNames(application))),
  ];
}
