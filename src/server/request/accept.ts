// Which form of an answer a client likes best, by its `Accept`. Source: RFC 9110 section 12.5.1
import type { Request } from "express";

/** The types that a client accepts, without their parameters, the ones it likes best first. */
export function acceptedTypes(req: Request): string[] {
  // Without those of quality 0.
  return req.accepts().map((type) => type.toLowerCase());
}

/** The one of these types that a client likes best; the first where it names none of them, or a wildcard for that before them. */
export function preferredType<T extends string>(req: Request, types: readonly [T, ...T[]]): T {
  const wildcards = ["*/*", `${types[0].split("/", 1)[0]}/*`];
  for (const accepted of acceptedTypes(req)) {
    const type = wildcards.includes(accepted) ? types[0] : types.find((one) => one === accepted);
    if (type !== undefined) return type;
  }
  return types[0];
}
