// What is asked of a root field's value when nobody says: its leaves, the rows of a connection, and what other records are called.
// Deeper levels and fields that need arguments are left out, so that a selection stays small whatever the schema.
// Pure. Source: docs/graphql.md, "What comes back".
import { baseOf, type OutputField, type OutputType, type OutputTypes } from "./output-types.js";
import { type Connection, connectionOf, envelopedList } from "./shape.js";

/** What a record is called, or told from others by. */
const LABELS = new Set("id name login title number code url key slug".split(" "));
/** A record without a label whose leaves are no more than this is a value of its own: an amount of money, a place on a map. */
const MAX_VALUE_LEAVES = 8;
/** Members of an interface or union that are asked for more than the interface has. */
const MAX_MEMBERS = 12;
/** Rows of a list inside a record. */
const NESTED_ROWS = 20;

/** Markup that says again what another field says as text. */
const isMarkup = ({ base }: OutputField): boolean => /^html$/i.test(base);
/** What a server of Relay hands back as it came; no tool needs it. */
export const ECHOED = "clientMutationId";

const isLeaf = (field: OutputField, types: OutputTypes): boolean => !types.has(field.base);

/** What a record is asked for unless somebody says otherwise. */
export function leavesOf(type: OutputType, types: OutputTypes): OutputField[] {
  return [...type.fields.values()].filter(
    (field) => isLeaf(field, types) && !field.isDeprecated && !isMarkup(field) && field.name !== ECHOED,
  );
}

function labelsOf(type: OutputType, types: OutputTypes): OutputField[] {
  return leavesOf(type, types).filter(({ name }) => LABELS.has(name));
}

/** The call of a field, without its selection: "issues(first: 20)". */
export function fieldCall({ name, paged }: OutputField): string {
  return paged ? `${name}(${paged}: ${NESTED_ROWS})` : name;
}

/** Names of fields in a selection with the types they stand for there. Two of one name and different types need an alias. */
export type Taken = Map<string, string>;

/** A field of one member of an abstract type, under an alias where another member's is of another type. Source: GraphQL, section 5.3.2. */
export function memberField(
  text: string,
  field: OutputField,
  { member, taken }: { member: string; taken: Taken },
): string {
  const signature = `${field.type} ${text}`;
  const known = taken.get(field.name);
  if (known === undefined) taken.set(field.name, signature);
  return known === undefined || known === signature ? text : `${field.name}__${member}: ${text}`;
}

/** What is common to all values of an interface, and of each member what it is called. */
function abstractParts(type: OutputType, types: OutputTypes, leaves: OutputField[]): string[] {
  const parts = ["__typename", ...leaves.map(fieldCall)];
  const members = type.members ?? [];
  const taken: Taken = new Map();
  for (const member of members.length > MAX_MEMBERS ? [] : members) {
    const own = types.get(member);
    const more = own ? labelsOf(own, types).filter(({ name }) => !type.fields.has(name)) : [];
    const texts = more.map((field) => memberField(fieldCall(field), field, { member, taken }));
    if (texts.length > 0) parts.push(`... on ${member} { ${texts.join(" ")} }`);
  }
  return parts;
}

/** What stands between a page and a row of it. */
const isEdge = ({ fields }: OutputType): boolean => fields.has("cursor") && fields.has("node");

/** The least that says which record is meant; "" where nothing does. */
function labelSelection(name: string, types: OutputTypes): string {
  const type = types.get(name);
  if (!type || connectionOf(name, types) || isEdge(type)) return "";
  const labels = labelsOf(type, types);
  if (type.members) return abstractParts(type, types, labels).join(" ");
  const leaves = leavesOf(type, types);
  const isFault = /errors?$|issue$|violation$/i.test(name) && leaves.length <= MAX_VALUE_LEAVES;
  const chosen = isFault || (labels.length === 0 && leaves.length <= MAX_VALUE_LEAVES) ? leaves : labels;
  return chosen.map(fieldCall).join(" ");
}

/** The leaves of a record, and what the records beside it are called. */
function recordSelection(name: string, types: OutputTypes, own: (field: OutputField) => string | undefined): string {
  const type = types.get(name);
  if (!type) return "";
  const leaves = leavesOf(type, types);
  const parts = type.members ? abstractParts(type, types, leaves) : leaves.map(fieldCall);
  for (const field of type.fields.values()) {
    if (isLeaf(field, types) || field.isDeprecated) continue;
    const inner = own(field) ?? (field.paged ? "" : labelSelection(field.base, types));
    if (inner !== "") parts.push(`${fieldCall(field)} { ${inner} }`);
  }
  return parts.length > 0 ? parts.join(" ") : "__typename";
}

/** A larger record that was changed is told by what it is called: the rest was known before. */
const MAX_PAYLOAD_LEAVES = 12;

/** The one record that a payload is about, where the payload says little else and the record is small. */
function onlyRecord(type: OutputType, types: OutputTypes): OutputField | undefined {
  if (type.members || leavesOf(type, types).length > 2) return undefined;
  const isRecord = (field: OutputField): boolean =>
    !isLeaf(field, types) &&
    !field.type.startsWith("[") &&
    !field.isDeprecated &&
    !connectionOf(field.base, types) &&
    !isEdge(types.get(field.base) ?? { fields: new Map() });
  const records = [...type.fields.values()].filter(isRecord);
  const [only] = records;
  const record = only && records.length === 1 ? types.get(only.base) : undefined;
  return record && leavesOf(record, types).length <= MAX_PAYLOAD_LEAVES ? only : undefined;
}

const plainRecord = (name: string, types: OutputTypes): string => recordSelection(name, types, () => undefined);

/** What a page says of itself beside its rows. */
function pageParts(name: string, types: OutputTypes): string[] {
  const type = types.get(name);
  if (!type) return [];
  const pageInfo = type.fields.get("pageInfo");
  const page = pageInfo && !pageInfo.paged ? types.get(pageInfo.base)?.fields : undefined;
  const about = ["hasNextPage", "endCursor"].filter((one) => page?.has(one));
  return [...leavesOf(type, types).map(fieldCall), ...(about.length > 0 ? [`pageInfo { ${about.join(" ")} }`] : [])];
}

/** A page with `rows` asked of each of its rows. */
export function pageSelection(
  name: string,
  types: OutputTypes,
  { connection, rows }: { connection: Connection; rows: string },
): string {
  const wrapped = connection.rows === "nodes" ? `nodes { ${rows} }` : `edges { node { ${rows} } }`;
  return [...pageParts(name, types), wrapped].join(" ");
}

/** What a field is asked for when it is named and nothing of it. */
export function leafSelection(name: string, types: OutputTypes): string {
  const connection = connectionOf(name, types);
  if (connection) return pageSelection(name, types, { connection, rows: recordLeaves(connection.item, types) });
  return recordLeaves(name, types);
}

/** The leaves of a record, or of a row, whatever it is. */
export function recordLeaves(name: string, types: OutputTypes): string {
  const type = types.get(name);
  const leaves = type ? leavesOf(type, types) : [];
  if (type?.members) return abstractParts(type, types, leaves).join(" ");
  return leaves.map(fieldCall).join(" ") || "__typename";
}

/** The usual selection of a root field; undefined where its value is a leaf. */
export function usualSelection(returns: string, types: OutputTypes): string | undefined {
  const name = baseOf(returns);
  const type = types.get(name);
  if (!type) return undefined;
  const connection = connectionOf(name, types);
  if (connection) return pageSelection(name, types, { connection, rows: plainRecord(connection.item, types) });
  const list = envelopedList(type, types);
  const record = onlyRecord(type, types);
  return recordSelection(name, types, (field) => {
    if (field === list) return plainRecord(field.base, types);
    return field === record ? leafSelection(field.base, types) : undefined;
  });
}
