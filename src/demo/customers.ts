// The sample shop's customers.
import { z } from "zod";
import { type Db, queryPage } from "./database.js";
import { componentRef, page } from "./document.js";
import { limits, sortBy, today } from "./inputs.js";
import { type AnyOperation, operation, Problem } from "./operation.js";
import { TIERS } from "./rows.js";

interface CustomerRow {
  id: number;
  name: string;
  email: string;
  city: string;
  country: string;
  tier: string;
  created_at: string;
}

const COLUMNS = { id: "id", name: "name", city: "city", created_at: "created_at" };
const NewCustomer = z.strictObject({
  name: z.string().min(1).max(120),
  email: z.email(),
  city: z.string().max(80).default(""),
  country: z.string().max(80).default(""),
  tier: z.enum(TIERS).default("bronze").describe("Loyalty tier"),
});
const CustomerChange = z.strictObject({
  name: z.string().min(1).max(120).optional(),
  email: z.email().optional(),
  city: z.string().max(80).optional(),
  country: z.string().max(80).optional(),
  tier: z.enum(TIERS).describe("Loyalty tier").optional(),
});
const CustomerFilter = z.strictObject({
  search: z.string().describe("Part of the name or email").optional(),
  city: z.string().optional(),
  country: z.string().optional(),
  tier: z.enum(TIERS).describe("Loyalty tier").optional(),
  sort: sortBy(["name", "city", "created_at", "id"]),
  ...limits,
});

/** A customer's row; throws a 404 Problem. */
export function findCustomer(db: Db, id: number): CustomerRow {
  const row = db.prepare("SELECT * FROM customers WHERE id = ?").get(id) as CustomerRow | undefined;
  if (!row) throw new Problem(404, "customer_not_found", `there is no customer ${id}`);
  return row;
}

function refuseTaken(db: Db, email: string, id: number): void {
  if (db.prepare("SELECT 1 FROM customers WHERE email = ? AND id <> ?").get(email, id))
    throw new Problem(409, "email_taken", `another customer has the email ${email}`);
}

function list(db: Db): AnyOperation {
  return operation({
    operationId: "listCustomers",
    method: "get",
    path: "/customers",
    tag: "customers",
    summary: "List or search customers",
    query: CustomerFilter,
    status: 200,
    answer: page("Customer"),
    run: ({ query: { sort, limit, offset, ...filter } }) =>
      queryPage<CustomerRow>(
        db,
        {
          select: "*",
          from: "customers",
          where: [
            filter.search ? "instr(lower(name || ' ' || email), lower(@search)) > 0" : undefined,
            filter.city ? "lower(city) = lower(@city)" : undefined,
            filter.country ? "lower(country) = lower(@country)" : undefined,
            filter.tier ? "tier = @tier" : undefined,
          ],
          values: filter,
          sort,
          columns: COLUMNS,
          limit,
          offset,
        },
        (row) => row,
      ),
  });
}

function write(db: Db): AnyOperation[] {
  return [
    operation({
      operationId: "createCustomer",
      method: "post",
      path: "/customers",
      tag: "customers",
      summary: "Add a customer",
      body: NewCustomer,
      status: 201,
      answer: componentRef("Customer"),
      problems: { 409: "The email is taken" },
      run: ({ body }) => {
        refuseTaken(db, body.email, 0);
        const { lastInsertRowid } = db
          .prepare(
            "INSERT INTO customers (name, email, city, country, tier, created_at) VALUES (@name, @email, @city, @country, @tier, @today)",
          )
          .run({ ...body, today: today() });
        return findCustomer(db, Number(lastInsertRowid));
      },
    }),
    operation({
      operationId: "updateCustomer",
      method: "patch",
      path: "/customers/{customerId}",
      tag: "customers",
      summary: "Change a customer's name, email, city, country or tier",
      body: CustomerChange,
      status: 200,
      answer: componentRef("Customer"),
      problems: { 404: "No such customer", 409: "The email is taken" },
      run: ({ id, body }) => {
        const row = { ...findCustomer(db, id), ...body };
        refuseTaken(db, row.email, id);
        db.prepare(
          "UPDATE customers SET name = @name, email = @email, city = @city, country = @country, tier = @tier WHERE id = @id",
        ).run(row);
        return findCustomer(db, id);
      },
    }),
  ];
}

/** Everything one can do with customers. */
export function customerOperations(db: Db): AnyOperation[] {
  const one = { path: "/customers/{customerId}", tag: "customers" };
  return [
    list(db),
    operation({
      ...one,
      operationId: "getCustomer",
      method: "get",
      summary: "Get one customer",
      status: 200,
      answer: componentRef("Customer"),
      problems: { 404: "No such customer" },
      run: ({ id }) => findCustomer(db, id),
    }),
    ...write(db),
    operation({
      ...one,
      operationId: "deleteCustomer",
      method: "delete",
      summary: "Delete a customer who has no orders",
      status: 204,
      problems: { 404: "No such customer", 409: "The customer has orders" },
      run: ({ id }) => {
        findCustomer(db, id);
        if (db.prepare("SELECT 1 FROM orders WHERE customer_id = ?").get(id))
          throw new Problem(409, "customer_has_orders", `customer ${id} has orders and cannot be deleted`);
        db.prepare("DELETE FROM customers WHERE id = ?").run(id);
      },
    }),
  ];
}
