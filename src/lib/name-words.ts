// The words that a name of code is made of: of a field, a tool or a resource. Pure.

/** The words of a name, in lower case: "customerId" and "customer_id" are both customer and id. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_\-.:/]+/)
    .filter((word) => word !== "");
}
