// Which credentials the tools of a document need, and the lines of config.json that supply them.
// Source: docs/reference.md, "Importing a description".
import type { Action, SchemaDocument } from "../domain/schema-document.js";
import { isObject, type JsonObject, listOf, toJson } from "../lib/json.js";
import { withoutTrailing } from "../lib/trailing.js";
import { schemeKind, unsupportedKind } from "./security-schemes.js";

/** One security scheme that operations name. */
export interface CredentialNeed {
  scheme: string;
  /** What it is, in words. */
  kind: string;
  /** How its credential is written; undefined when it is not supported. */
  secret: string | undefined;
  /** How many operations name it. */
  operations: number;
  isConfigured: boolean;
}

/** What sync says of credentials. */
export interface CredentialNeeds {
  needs: CredentialNeed[];
  /** Operations that ask for what is not supported and nothing else. */
  refused: string[];
  /** What is to be written to config.json, as JSON text; undefined when nothing is missing. */
  config: string | undefined;
}

/** The alternatives of an action, each by its schemes' names; none where it can be called without any. */
function alternativesOf({ transport: { security } }: Action): string[][] {
  const alternatives = listOf(security)
    .filter(isObject)
    .map((one) => Object.keys(one));
  return alternatives.some((names) => names.length === 0) ? [] : alternatives;
}

/** Longer names of schemes are cut. */
const MAX_SCHEME_CHARS = 60;

/** A name as environment variables are written: `shopToken` is SHOP_TOKEN. */
function upperCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^a-zA-Z0-9]+/g, "_");
  return withoutTrailing(words.replace(/^_+/, ""), "_").toUpperCase();
}

/**
 * The variable that is proposed for a scheme: after the name of the application, as two of them often call their schemes alike. APP
 * stands where there is no name, and before one whose variables would be those of agentd.
 */
function variableOf(scheme: string, application: string): string {
  const owner = upperCase(application);
  const prefix = /^(APP|AGENTD)?(_|$)/.test(owner) ? ["APP", owner] : [owner];
  const rest = upperCase(scheme).slice(0, MAX_SCHEME_CHARS) || "SECRET";
  return [...prefix.filter((word) => word !== ""), rest].join("_");
}

/** What is to be written to config.json for an application, as far as something is missing. */
function configOf(needs: readonly CredentialNeed[], application: string): string | undefined {
  const missing = needs.filter(({ secret, isConfigured }) => secret !== undefined && !isConfigured);
  const auth: JsonObject = Object.fromEntries(
    missing.map(({ scheme }) => [scheme, `env:${variableOf(scheme, application)}`]),
  );
  if (missing.length === 0) return undefined;
  return application === ""
    ? `"target": ${toJson({ auth }, 2)}`
    : `"applications": ${toJson({ [application]: { auth } }, 2)}`;
}

/** What the tools of an application's document need, given the schemes that are configured for it. */
export function credentialNeeds(
  { actions, auth }: SchemaDocument,
  application: string,
  configured: readonly string[],
): CredentialNeeds {
  const counts = new Map<string, number>();
  const refused: string[] = [];
  for (const action of actions) {
    const alternatives = alternativesOf(action);
    for (const scheme of new Set(alternatives.flat())) counts.set(scheme, (counts.get(scheme) ?? 0) + 1);
    const isSupported = (names: string[]): boolean => names.every((name) => unsupportedKind(auth[name]) === undefined);
    if (alternatives.length > 0 && !alternatives.some(isSupported)) refused.push(action.name);
  }
  const needs = [...counts].flatMap(([scheme, operations]): CredentialNeed[] => {
    const kind = auth[scheme] && schemeKind(auth[scheme]);
    if (!kind) return [];
    return [{ scheme, kind: kind.words, secret: kind.secret, operations, isConfigured: configured.includes(scheme) }];
  });
  return { needs, refused, config: configOf(needs, application) };
}
