// The sample shop's rows: made up, always the same. Orders are drawn by arithmetic, so that tests can name them.

type Product = [sku: string, name: string, category: string, cents: number, stock: number, description: string];
type Customer = [name: string, email: string, city: string, country: string, tier: string, created_at: string];

export const CATEGORIES = ["coffee", "tea", "equipment", "accessories", "gifts"] as const;
export const TIERS = ["bronze", "silver", "gold"] as const;
export const STATUSES = ["pending", "paid", "shipped", "delivered", "cancelled"] as const;

export const PRODUCTS: readonly Product[] = [
  ["COF-001", "Harbour Blend", "coffee", 1290, 84, "House espresso blend, dark and nutty, 500 g"],
  ["COF-002", "Yirgacheffe Washed", "coffee", 1650, 41, "Ethiopian filter roast, jasmine and lemon, 350 g"],
  ["COF-003", "Huila Decaf", "coffee", 1490, 23, "Colombian decaf, caramel, 350 g"],
  ["COF-004", "Sumatra Night", "coffee", 1390, 8, "Earthy and heavy, 500 g"],
  ["COF-005", "Cold Brew Bags", "coffee", 1150, 60, "Ten coarse-ground bags for cold brew"],
  ["TEA-001", "Assam Breakfast", "tea", 890, 72, "Strong black leaf tea, 200 g"],
  ["TEA-002", "Sencha First Flush", "tea", 1420, 19, "Japanese green tea, spring harvest, 100 g"],
  ["TEA-003", "Mint & Verbena", "tea", 760, 55, "Herbal blend without caffeine, 100 g"],
  ["TEA-004", "Lapsang Smoke", "tea", 980, 4, "Black tea dried over pine fires, 150 g"],
  ["EQP-001", "Copper Kettle 1.2 L", "equipment", 8900, 12, "Gooseneck kettle for the stove"],
  ["EQP-002", "Hand Grinder", "equipment", 6450, 17, "Steel burrs, 40 clicks"],
  ["EQP-003", "Pour-Over Set", "equipment", 3900, 26, "Glass dripper, carafe and 50 filters"],
  ["EQP-004", "Espresso Machine Mini", "equipment", 34900, 3, "15 bar, heats in 40 seconds"],
  ["EQP-005", "French Press 1 L", "equipment", 2950, 31, "Double-walled steel"],
  ["ACC-001", "Paper Filters 100", "accessories", 490, 140, "Size 2, unbleached"],
  ["ACC-002", "Brew Scale", "accessories", 2790, 0, "0.1 g steps, with a timer"],
  ["ACC-003", "Milk Jug 350 ml", "accessories", 1690, 37, "Stainless steel"],
  ["ACC-004", "Stoneware Mug", "accessories", 1250, 66, "Speckled glaze, 300 ml"],
  ["GFT-001", "Tasting Box", "gifts", 2990, 22, "Three coffees and two teas in small bags"],
  ["GFT-002", "Gift Card 50", "gifts", 5000, 500, "Worth 50 euros, never expires"],
];

export const CUSTOMERS: readonly Customer[] = [
  ["Ada Lindqvist", "ada.lindqvist@example.com", "Stockholm", "Sweden", "gold", "2025-02-11"],
  ["Bruno Castelli", "bruno.castelli@example.com", "Torino", "Italy", "silver", "2025-03-02"],
  ["Chiara Romano", "chiara.romano@example.com", "Bologna", "Italy", "bronze", "2025-03-19"],
  ["Dirk Janssen", "dirk.janssen@example.com", "Utrecht", "Netherlands", "gold", "2025-04-07"],
  ["Elif Yilmaz", "elif.yilmaz@example.com", "Berlin", "Germany", "silver", "2025-05-23"],
  ["Fergus O'Neill", "fergus.oneill@example.com", "Cork", "Ireland", "bronze", "2025-06-14"],
  ["Greta Hoffmann", "greta.hoffmann@example.com", "Hamburg", "Germany", "bronze", "2025-07-01"],
  ["Henrik Sørensen", "henrik.sorensen@example.com", "Aarhus", "Denmark", "silver", "2025-08-30"],
  ["Inés Navarro", "ines.navarro@example.com", "Valencia", "Spain", "gold", "2025-09-12"],
  ["Jakub Nowak", "jakub.nowak@example.com", "Kraków", "Poland", "bronze", "2025-10-05"],
  ["Klara Dvořáková", "klara.dvorakova@example.com", "Brno", "Czechia", "bronze", "2025-11-17"],
  ["Luc Fontaine", "luc.fontaine@example.com", "Lyon", "France", "silver", "2026-01-09"],
  ["Marta Silva", "marta.silva@example.com", "Porto", "Portugal", "bronze", "2026-02-20"],
  ["Noah Berger", "noah.berger@example.com", "Wien", "Austria", "bronze", "2026-04-28"],
];

/** One sample order; lines are `[product id, quantity]`. */
interface SampleOrder {
  customer: number;
  status: (typeof STATUSES)[number];
  note: string;
  tracking: string | null;
  date: string;
  lines: [product: number, quantity: number][];
}

const NOTES = ["", "", "", "Please leave it with the neighbour", "", "Gift, no invoice in the box", "", ""];
const ORDERS = 36;
const FIRST_DAY = Date.UTC(2026, 1, 3);
const DAY_MS = 86_400_000;

function statusOf(index: number): SampleOrder["status"] {
  if (index % 11 === 7) return "cancelled";
  if (index < 26) return "delivered";
  return index < 30 ? "shipped" : index < 33 ? "paid" : "pending";
}

/** The sample orders, oldest first, eight days apart; the last few are still open. */
export function orders(): SampleOrder[] {
  return Array.from({ length: ORDERS }, (_, index) => {
    const status = statusOf(index);
    const lines = Array.from({ length: 1 + (index % 3) }, (_, n): [number, number] => [
      ((index * 7 + n * 5) % PRODUCTS.length) + 1,
      1 + ((index + n) % 4),
    ]);
    return {
      customer: ((index * 5) % CUSTOMERS.length) + 1,
      status,
      note: NOTES[index % NOTES.length] ?? "",
      tracking: status === "shipped" || status === "delivered" ? `CK${100_000 + index * 37}` : null,
      date: new Date(FIRST_DAY + index * 8 * DAY_MS).toISOString().slice(0, 10),
      lines,
    };
  });
}
