// The sample shop's orders: taken, paid, shipped, delivered or cancelled, in that order and no other.
import { z } from "zod";
import { findCustomer } from "./customers.js";
import { type Db, queryPage } from "./database.js";
import { componentRef, page } from "./document.js";
import { limits, sortBy, today } from "./inputs.js";
import { type AnyOperation, operation, Problem } from "./operation.js";
import { STATUSES } from "./rows.js";

type Status = (typeof STATUSES)[number];

interface OrderRow {
  id: number;
  customer_id: number;
  customer: string;
  status: Status;
  cents: number;
  note: string;
  tracking_number: string | null;
  created_at: string;
}

interface LineRow {
  product_id: number;
  product: string;
  quantity: number;
  cents: number;
}

const SELECT = `o.id, o.customer_id, c.name AS customer, o.status, o.note, o.tracking_number, o.created_at,
  (SELECT coalesce(sum(quantity * cents), 0) FROM order_lines WHERE order_id = o.id) AS cents`;
const FROM = "orders o JOIN customers c ON c.id = o.customer_id";
const COLUMNS = { id: "id", created_at: "created_at", total: "cents" };
const OrderFilter = z.strictObject({
  customer_id: z.coerce.number().int().min(1).optional(),
  status: z.enum(STATUSES).optional(),
  from: z.iso.date().describe("Created on or after this day").optional(),
  to: z.iso.date().describe("Created on or before this day").optional(),
  sort: sortBy(["id", "created_at", "total"]),
  ...limits,
});
const NewOrder = z.strictObject({
  customer_id: z.int().min(1).describe("Who orders"),
  lines: z
    .array(
      z.strictObject({
        product_id: z.int().min(1),
        quantity: z.int().min(1).max(1000).default(1),
      }),
    )
    .min(1)
    .max(50)
    .describe("What is ordered"),
  note: z.string().max(500).default(""),
});

function present({ cents, ...row }: OrderRow): Record<string, unknown> {
  const { id, customer_id, customer, status, note, tracking_number, created_at } = row;
  return { id, customer_id, customer, status, total: cents / 100, note, tracking_number, created_at };
}

function find(db: Db, id: number): OrderRow {
  const row = db.prepare(`SELECT ${SELECT} FROM ${FROM} WHERE o.id = ?`).get(id) as OrderRow | undefined;
  if (!row) throw new Problem(404, "order_not_found", `there is no order ${id}`);
  return row;
}

/** An order with its lines. */
function whole(db: Db, id: number): Record<string, unknown> {
  const lines = db
    .prepare(
      "SELECT l.product_id, p.name AS product, l.quantity, l.cents FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.order_id = ? ORDER BY l.rowid",
    )
    .all(id) as LineRow[];
  return { ...present(find(db, id)), lines: lines.map(({ cents, ...line }) => ({ ...line, unit_price: cents / 100 })) };
}

function listed(db: Db, filter: z.output<typeof OrderFilter>): Record<string, unknown> {
  const { sort, limit, offset, ...values } = filter;
  const where = [
    values.customer_id === undefined ? undefined : "o.customer_id = @customer_id",
    values.status && "o.status = @status",
    values.from && "o.created_at >= @from",
    values.to && "o.created_at <= @to",
  ];
  return queryPage<OrderRow>(
    db,
    { select: SELECT, from: FROM, where, values, sort, columns: COLUMNS, limit, offset },
    present,
  );
}

function lists(db: Db): AnyOperation[] {
  return [
    operation({
      operationId: "listOrders",
      method: "get",
      path: "/orders",
      tag: "orders",
      summary: "List orders by status, customer or date",
      query: OrderFilter,
      status: 200,
      answer: page("Order"),
      run: ({ query }) => listed(db, query),
    }),
    operation({
      operationId: "listCustomerOrders",
      method: "get",
      path: "/customers/{customerId}/orders",
      tag: "orders",
      summary: "List the orders of one customer",
      query: OrderFilter.omit({ customer_id: true }),
      status: 200,
      answer: page("Order"),
      problems: { 404: "No such customer" },
      run: ({ id, query }) => listed(db, { ...query, customer_id: findCustomer(db, id).id }),
    }),
  ];
}

function place(db: Db, body: z.output<typeof NewOrder>): Record<string, unknown> {
  if (!db.prepare("SELECT 1 FROM customers WHERE id = ?").get(body.customer_id))
    throw new Problem(400, "invalid_request", `customer_id: there is no customer ${body.customer_id}`);
  const { lastInsertRowid } = db
    .prepare("INSERT INTO orders (customer_id, status, note, created_at) VALUES (?, 'pending', ?, ?)")
    .run(body.customer_id, body.note, today());
  for (const [index, { product_id, quantity }] of body.lines.entries()) {
    const product = db.prepare("SELECT name, cents, stock FROM products WHERE id = ?").get(product_id) as
      | { name: string; cents: number; stock: number }
      | undefined;
    if (!product) throw new Problem(400, "invalid_request", `lines.${index}: there is no product ${product_id}`);
    if (product.stock < quantity)
      throw new Problem(409, "out_of_stock", `${product.name} has ${product.stock} in stock, ${quantity} were ordered`);
    db.prepare("UPDATE products SET stock = stock - ? WHERE id = ?").run(quantity, product_id);
    db.prepare("INSERT INTO order_lines (order_id, product_id, quantity, cents) VALUES (?, ?, ?, ?)").run(
      lastInsertRowid,
      product_id,
      quantity,
      product.cents,
    );
  }
  return whole(db, Number(lastInsertRowid));
}

/** The statuses from which an order can get another one. */
const BEFORE: Readonly<Partial<Record<Status, readonly Status[]>>> = {
  paid: ["pending"],
  shipped: ["paid"],
  cancelled: ["pending", "paid"],
};

/** Gives an order its next status; throws a 409 Problem when the present one does not allow it. */
function advance(db: Db, id: number, to: Status): void {
  const from = BEFORE[to] ?? [];
  const { status } = find(db, id);
  if (!from.includes(status))
    throw new Problem(
      409,
      "wrong_status",
      `order ${id} is ${status}; only one that is ${from.join(" or ")} can become ${to}`,
    );
  db.prepare("UPDATE orders SET status = ? WHERE id = ?").run(to, id);
}

function steps(db: Db): AnyOperation[] {
  const step = {
    method: "post" as const,
    tag: "orders",
    status: 200,
    answer: componentRef("Order"),
    problems: { 404: "No such order", 409: "Its status does not allow it" },
  };
  return [
    operation({
      ...step,
      operationId: "payOrder",
      path: "/orders/{orderId}/pay",
      summary: "Mark a pending order as paid",
      run: ({ id }) => {
        advance(db, id, "paid");
        return whole(db, id);
      },
    }),
    operation({
      ...step,
      operationId: "shipOrder",
      path: "/orders/{orderId}/ship",
      summary: "Ship a paid order",
      body: z.strictObject({ tracking_number: z.string().min(1).max(60).describe("Given by the carrier").optional() }),
      run: ({ id, body }) => {
        advance(db, id, "shipped");
        db.prepare("UPDATE orders SET tracking_number = ? WHERE id = ?").run(
          body.tracking_number ?? `CK${200_000 + id}`,
          id,
        );
        return whole(db, id);
      },
    }),
    operation({
      ...step,
      operationId: "cancelOrder",
      path: "/orders/{orderId}/cancel",
      summary: "Cancel an order that has not been shipped and put its pieces back into stock",
      run: ({ id }) => {
        advance(db, id, "cancelled");
        db.prepare(
          "UPDATE products SET stock = stock + l.quantity FROM (SELECT product_id, sum(quantity) AS quantity FROM order_lines WHERE order_id = ? GROUP BY product_id) l WHERE products.id = l.product_id",
        ).run(id);
        return whole(db, id);
      },
    }),
  ];
}

/** Everything one can do with orders. */
export function orderOperations(db: Db): AnyOperation[] {
  const one = { path: "/orders/{orderId}", tag: "orders", problems: { 404: "No such order" } };
  return [
    ...lists(db),
    operation({
      operationId: "createOrder",
      method: "post",
      path: "/orders",
      tag: "orders",
      summary: "Place an order",
      body: NewOrder,
      status: 201,
      answer: componentRef("Order"),
      problems: { 409: "Not enough in stock" },
      run: ({ body }) => db.transaction(place)(db, body),
    }),
    operation({
      ...one,
      operationId: "getOrder",
      method: "get",
      summary: "Get one order with its lines",
      status: 200,
      answer: componentRef("Order"),
      run: ({ id }) => whole(db, id),
    }),
    operation({
      ...one,
      operationId: "updateOrder",
      method: "patch",
      summary: "Change an order's note",
      body: z.strictObject({ note: z.string().max(500) }),
      status: 200,
      answer: componentRef("Order"),
      run: ({ id, body }) => {
        find(db, id);
        db.prepare("UPDATE orders SET note = ? WHERE id = ?").run(body.note, id);
        return whole(db, id);
      },
    }),
    operation({
      ...one,
      operationId: "deleteOrder",
      method: "delete",
      summary: "Delete a cancelled order",
      status: 204,
      problems: { 404: "No such order", 409: "The order is not cancelled" },
      run: ({ id }) => {
        const { status } = find(db, id);
        if (status !== "cancelled")
          throw new Problem(409, "wrong_status", `order ${id} is ${status}; cancel it before deleting it`);
        db.prepare("DELETE FROM orders WHERE id = ?").run(id);
      },
    }),
    ...steps(db),
  ];
}
