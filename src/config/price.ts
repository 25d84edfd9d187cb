// What tokens cost, as an operator writes it into an entry of `providers`. No price is known to the program itself.
import { z } from "zod";
import { byName, inFileOnly, TEXT } from "./kinds.js";
import { type Kind, setting } from "./setting.js";

const amount = z.number().min(0);

/** Per million tokens. */
const PriceSchema = z.strictObject({
  input: amount,
  /** Of input that the vendor had in its cache; as `input` when missing. */
  cached: amount.optional(),
  /** Of input that the vendor put into its cache; as `input` when missing. */
  cache_write: amount.optional(),
  output: amount,
});

/** A price as it is configured. */
type ConfiguredPrice = z.infer<typeof PriceSchema>;

/** A price. */
export const PRICE: Kind<ConfiguredPrice> = inFileOnly(PriceSchema);

/** Prices by the names of models. */
export const PRICES: Kind<Record<string, ConfiguredPrice>> = byName(z.record(z.string().min(1), PriceSchema));

/** The row of the word that stands behind every amount. */
export const CURRENCY = setting({
  name: "currency",
  kind: TEXT,
  default: "USD",
  description: "The word for the money that prices are in",
});
