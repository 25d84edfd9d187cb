// The sample shop's products.
import { z } from "zod";
import { type Db, queryPage } from "./database.js";
import { componentRef, page } from "./document.js";
import { limits, money, sortBy } from "./inputs.js";
import { type AnyOperation, operation, Problem } from "./operation.js";
import { CATEGORIES } from "./rows.js";

interface ProductRow {
  id: number;
  sku: string;
  name: string;
  category: string;
  cents: number;
  stock: number;
  description: string;
}

const COLUMNS = { id: "id", name: "name", price: "cents", stock: "stock" };
const NewProduct = z.strictObject({
  sku: z
    .string()
    .regex(/^[A-Z0-9-]{3,20}$/)
    .describe("Article number such as COF-006; chosen by the shop when left out")
    .optional(),
  name: z.string().min(1).max(120),
  category: z.enum(CATEGORIES),
  price: money.describe("In euros"),
  stock: z.int().min(0).max(1_000_000).default(0).describe("Pieces on the shelf"),
  description: z.string().max(1000).default(""),
});
const ProductChange = z.strictObject({
  name: z.string().min(1).max(120).optional(),
  category: z.enum(CATEGORIES).optional(),
  price: money.describe("In euros").optional(),
  stock: z.int().min(0).max(1_000_000).optional(),
  description: z.string().max(1000).optional(),
});
const ProductFilter = z.strictObject({
  search: z.string().describe("Words in the name, description or article number").optional(),
  category: z.enum(CATEGORIES).optional(),
  min_price: z.coerce.number().min(0).describe("In euros").optional(),
  max_price: z.coerce.number().min(0).describe("In euros").optional(),
  in_stock: z
    .stringbool({ truthy: ["true"], falsy: ["false"] })
    .describe("Only products that are, or are not, in stock")
    .optional(),
  sort: sortBy(["name", "price", "stock", "id"]),
  ...limits,
});

function present({ cents, ...row }: ProductRow): Record<string, unknown> {
  const { id, sku, name, category, stock, description } = row;
  return { id, sku, name, category, price: cents / 100, stock, description };
}

/** A product's row; throws a 404 Problem. */
function find(db: Db, id: number): ProductRow {
  const row = db.prepare("SELECT * FROM products WHERE id = ?").get(id) as ProductRow | undefined;
  if (!row) throw new Problem(404, "product_not_found", `there is no product ${id}`);
  return row;
}

function list(db: Db): AnyOperation {
  return operation({
    operationId: "listProducts",
    method: "get",
    path: "/products",
    tag: "products",
    summary: "List or search products",
    query: ProductFilter,
    status: 200,
    answer: page("Product"),
    run: ({ query }) =>
      queryPage<ProductRow>(
        db,
        {
          select: "*",
          from: "products",
          where: [
            query.search && "(instr(lower(name || ' ' || description || ' ' || sku), lower(@search)) > 0)",
            query.category && "category = @category",
            query.min_price === undefined ? undefined : "cents >= @min",
            query.max_price === undefined ? undefined : "cents <= @max",
            query.in_stock === undefined ? undefined : query.in_stock ? "stock > 0" : "stock = 0",
          ].map((piece) => piece || undefined),
          values: {
            search: query.search,
            category: query.category,
            min: Math.round((query.min_price ?? 0) * 100),
            max: Math.round((query.max_price ?? 0) * 100),
          },
          sort: query.sort,
          columns: COLUMNS,
          limit: query.limit,
          offset: query.offset,
        },
        present,
      ),
  });
}

function create(db: Db): AnyOperation {
  return operation({
    operationId: "createProduct",
    method: "post",
    path: "/products",
    tag: "products",
    summary: "Add a product",
    body: NewProduct,
    status: 201,
    answer: componentRef("Product"),
    problems: { 409: "The article number is taken" },
    run: ({ body }) => {
      const next = db.prepare("SELECT count(*) + 1 FROM products").pluck().get() as number;
      const sku = body.sku ?? `NEW-${String(next).padStart(4, "0")}`;
      if (db.prepare("SELECT 1 FROM products WHERE sku = ?").get(sku))
        throw new Problem(409, "sku_taken", `the article number ${sku} is taken`);
      const { lastInsertRowid } = db
        .prepare("INSERT INTO products (sku, name, category, cents, stock, description) VALUES (?, ?, ?, ?, ?, ?)")
        .run(sku, body.name, body.category, Math.round(body.price * 100), body.stock, body.description);
      return present(find(db, Number(lastInsertRowid)));
    },
  });
}

function update(db: Db): AnyOperation {
  return operation({
    operationId: "updateProduct",
    method: "patch",
    path: "/products/{productId}",
    tag: "products",
    summary: "Change a product's name, category, price, stock or description",
    body: ProductChange,
    status: 200,
    answer: componentRef("Product"),
    problems: { 404: "No such product" },
    run: ({ id, body: { price, ...change } }) => {
      const before = find(db, id);
      const cents = price === undefined ? before.cents : Math.round(price * 100);
      const row = { ...before, ...change, cents };
      db.prepare(
        "UPDATE products SET name = @name, category = @category, cents = @cents, stock = @stock, description = @description WHERE id = @id",
      ).run(row);
      return present(find(db, id));
    },
  });
}

/** Everything one can do with products. */
export function productOperations(db: Db): AnyOperation[] {
  const one = { path: "/products/{productId}", tag: "products", problems: { 404: "No such product" } };
  return [
    list(db),
    create(db),
    operation({
      ...one,
      operationId: "getProduct",
      method: "get",
      summary: "Get one product",
      status: 200,
      answer: componentRef("Product"),
      run: ({ id }) => present(find(db, id)),
    }),
    update(db),
    operation({
      ...one,
      operationId: "deleteProduct",
      method: "delete",
      summary: "Delete a product that was never ordered",
      status: 204,
      problems: { 404: "No such product", 409: "It is part of an order" },
      run: ({ id }) => {
        find(db, id);
        if (db.prepare("SELECT 1 FROM order_lines WHERE product_id = ?").get(id))
          throw new Problem(409, "product_in_use", `product ${id} is part of an order; set its stock to 0 instead`);
        db.prepare("DELETE FROM products WHERE id = ?").run(id);
      },
    }),
    operation({
      ...one,
      operationId: "restockProduct",
      method: "post",
      path: "/products/{productId}/restock",
      summary: "Add pieces to a product's stock",
      body: z.strictObject({ quantity: z.int().min(1).max(100_000).describe("Pieces that arrived") }),
      status: 200,
      answer: componentRef("Product"),
      run: ({ id, body }) => {
        find(db, id);
        db.prepare("UPDATE products SET stock = stock + ? WHERE id = ?").run(body.quantity, id);
        return present(find(db, id));
      },
    }),
  ];
}
