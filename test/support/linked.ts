// Descriptions whose entities all reach each other: what a converter that copies what it reaches cannot write down.

/** The extent of a description. */
interface Linked {
  entities: number;
  /** Bytes of the description, within some percent; what is left after operations and links is filled with further members. */
  bytes: number;
}

/** References of one entity: the next one, so that each reaches all, and others far away. */
const LINKS = 6;
const WORDS = "What this member holds, as the author of a description would say it in a sentence.";

const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: object): object => ({ type: "array", items });

function pathsOf(name: string): object {
  const at = `/${name.toLowerCase()}`;
  const answer = (schema: object): object => ({ 200: { description: "It worked.", ...json(schema) } });
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const body = { required: true, ...json(ref(name)) };
  return {
    [at]: {
      get: { operationId: `list${name}`, tags: [name], responses: answer(listOf(ref(name))) },
      post: { operationId: `create${name}`, tags: [name], requestBody: body, responses: answer(ref(name)) },
    },
    [`${at}/{id}`]: {
      parameters: [id],
      get: { operationId: `get${name}`, tags: [name], responses: answer(ref(name)) },
      put: { operationId: `replace${name}`, tags: [name], requestBody: body, responses: answer(ref(name)) },
      delete: { operationId: `delete${name}`, tags: [name], responses: { 204: { description: "It is gone." } } },
    },
  };
}

function schemaOf(at: number, entities: number, members: number): object {
  const links = Array.from({ length: LINKS }, (_, i): [string, object] => {
    const to = ref(`Entity${(at * (i + 1) + 1) % entities}`);
    return [`link_${i}`, i % 2 === 0 ? to : listOf(to)];
  });
  const own = Array.from({ length: members }, (_, i): [string, object] => [
    `member_${i}`,
    { type: i % 3 === 0 ? "integer" : "string", description: WORDS },
  ]);
  const properties = { id: { type: "integer", readOnly: true }, ...Object.fromEntries([...links, ...own]) };
  return { type: "object", required: ["id"], properties };
}

/** An OpenAPI 3.0 description of so many entities, each with five operations and links by which it reaches every other. */
export function linkedEntities({ entities, bytes }: Linked): string {
  const names = Array.from({ length: entities }, (_, at) => `Entity${at}`);
  const document = (members: number): string =>
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "linked", version: "1" },
      servers: [{ url: "http://127.0.0.1:9" }],
      paths: Object.assign({}, ...names.map(pathsOf)),
      components: { schemas: Object.fromEntries(names.map((name, at) => [name, schemaOf(at, entities, members)])) },
    });
  const least = document(0);
  const each = (document(1).length - least.length) / entities;
  return document(Math.max(0, Math.round((bytes - least.length) / entities / each)));
}
