// Which words are of places: names of fields that say where something is, and nouns of what records may refer to.

/** A noun of a place. */
export const PLACE =
  /^(?:place|location|position|address|site|city|town|village|country|region|area|room|hall|building|floor|shelf|venue|station|warehouse|field|yard)$/;
