// Which words are of places: nouns of what records may refer to, and of fields that say where something is.

/** A noun of a place. */
export const PLACE =
  /^(?:place|location|site|city|town|village|address|street|country|region|room|hall|building|floor|shelf|venue|station|warehouse|area|field|yard|position|where)$/;

/** Whether the name of a field, in words, says where something is. */
export const saysWhere = (name: readonly string[]): boolean => name.some((word) => PLACE.test(word));
