// The sample shop's reports: what was sold, and what runs out.
import { z } from "zod";
import type { Db } from "./database.js";
import { type AnyOperation, operation } from "./operation.js";

const GROUPS = {
  month: "substr(o.created_at, 1, 7)",
  category: "p.category",
  product: "p.name",
  customer: "c.name",
  country: "c.country",
} as const;
type Group = keyof typeof GROUPS;

const SalesQuery = z.strictObject({
  group_by: z
    .enum(Object.keys(GROUPS) as [Group, ...Group[]])
    .default("month")
    .describe("One row for each of these"),
  from: z.iso.date().describe("First day").optional(),
  to: z.iso.date().describe("Last day").optional(),
});

interface SalesRow {
  group: string;
  orders: number;
  pieces: number;
  cents: number;
}

function sales(db: Db, query: z.output<typeof SalesQuery>): Record<string, unknown> {
  const rows = db
    .prepare(
      `SELECT ${GROUPS[query.group_by]} AS "group", count(DISTINCT o.id) AS orders, sum(l.quantity) AS pieces, sum(l.quantity * l.cents) AS cents
       FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id JOIN customers c ON c.id = o.customer_id
       WHERE o.status <> 'cancelled' AND o.created_at >= @from AND o.created_at <= @to
       GROUP BY 1 ORDER BY ${query.group_by === "month" ? "1" : "cents DESC"}`,
    )
    .all({ from: query.from ?? "", to: query.to ?? "9999" }) as SalesRow[];
  const revenue = rows.reduce((sum, row) => sum + row.cents, 0) / 100;
  const items = rows.map(({ cents, ...row }) => ({
    [query.group_by]: row.group,
    orders: row.orders,
    pieces: row.pieces,
    revenue: cents / 100,
  }));
  return { group_by: query.group_by, revenue, rows: items };
}

/** The reports. */
export function reportOperations(db: Db): AnyOperation[] {
  return [
    operation({
      operationId: "salesReport",
      method: "get",
      path: "/reports/sales",
      tag: "reports",
      summary: "Revenue, orders and pieces sold, without cancelled orders",
      query: SalesQuery,
      status: 200,
      answer: {
        type: "object",
        properties: {
          group_by: { type: "string" },
          revenue: { type: "number" },
          rows: { type: "array", items: { type: "object" } },
        },
      },
      run: ({ query }) => sales(db, query),
    }),
    operation({
      operationId: "lowStockReport",
      method: "get",
      path: "/reports/low-stock",
      tag: "reports",
      summary: "Products that are running out of stock",
      query: z.strictObject({
        threshold: z.coerce.number().int().min(0).max(10_000).default(10).describe("At most this many pieces left"),
      }),
      status: 200,
      answer: { type: "array", items: { type: "object" } },
      run: ({ query }) =>
        db
          .prepare("SELECT id, sku, name, stock FROM products WHERE stock <= ? ORDER BY stock, id")
          .all(query.threshold),
    }),
  ];
}
