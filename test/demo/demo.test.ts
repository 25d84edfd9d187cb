// The sample application behind --demo: small, but it answers as a real one does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import request from "supertest";
import { createSampleApplication, type SampleApplication, startSampleApplication } from "../../src/demo/sample.js";
import { packageRoot } from "../../src/lib/package.js";
import { rejection } from "../store/sqlite/fixture.js";
import { typescript } from "../support/program.js";
import { start } from "../support/spawn.js";

describe("the sample application", () => {
  let sample: SampleApplication;
  beforeEach(() => {
    sample = createSampleApplication();
  });
  afterEach(() => sample.close());

  it("describes every route in an OpenAPI 3.1 document with unique operation ids", async () => {
    const { body } = await request(sample.app).get("/openapi.json").expect(200);
    expect(body.openapi).to.equal("3.1.0");
    const ids = Object.values(body.paths as Record<string, object>).flatMap((path) =>
      Object.values(path).map((one) => one.operationId),
    );
    expect(ids).to.include.members(["listProducts", "createOrder", "shipOrder", "salesReport"]);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(body.components.schemas).to.include.keys("Product", "Customer", "Order", "Error");
  });

  it("has the same rows at every start", async () => {
    const other = createSampleApplication();
    const paths = ["/products?limit=100", "/customers?limit=100", "/orders?limit=100", "/reports/sales"];
    for (const path of paths) {
      const [one, two] = [await request(sample.app).get(path), await request(other.app).get(path)];
      expect(one.status).to.equal(200);
      expect(one.text).to.equal(two.text);
    }
    other.close();
  });

  it("filters, searches, sorts and pages a list", async () => {
    const names = async (query: string): Promise<string[]> => {
      const { body } = await request(sample.app).get(`/products?${query}`).expect(200);
      return body.items.map((item: { name: string }) => item.name);
    };
    expect(await names("category=tea&max_price=9")).to.deep.equal(["Assam Breakfast", "Mint & Verbena"]);
    expect(await names("search=KETTLE")).to.deep.equal(["Copper Kettle 1.2 L"]);
    expect(await names("in_stock=false")).to.deep.equal(["Brew Scale"]);
    expect(await names("sort=-price&limit=2")).to.deep.equal(["Espresso Machine Mini", "Copper Kettle 1.2 L"]);
    expect(await names("sort=-price&limit=1&offset=1")).to.deep.equal(["Copper Kettle 1.2 L"]);
    const { body } = await request(sample.app).get("/orders?status=pending&limit=1").expect(200);
    expect(body).to.deep.include({ total: 3, limit: 1, offset: 0 });
  });

  it("creates, reads, updates and deletes", async () => {
    const api = request(sample.app);
    const made = await api.post("/products").send({ name: "Oolong", category: "tea", price: 19.99 }).expect(201);
    expect(made.body).to.deep.include({ name: "Oolong", price: 19.99, stock: 0 });
    const path = `/products/${made.body.id}`;
    await api.patch(path).send({ price: 18.5 }).expect(200);
    await api.post(`${path}/restock`).send({ quantity: 5 }).expect(200);
    expect((await api.get(path).expect(200)).body).to.deep.equal({ ...made.body, price: 18.5, stock: 5 });
    await api.delete(path).expect(204);
    await api.get(path).expect(404);
  });

  it("moves an order from pending to paid to shipped, and in no other way", async () => {
    const api = request(sample.app);
    const lines = [{ product_id: 1, quantity: 2 }, { product_id: 10 }];
    const { body: order } = await api.post("/orders").send({ customer_id: 2, lines }).expect(201);
    expect(order).to.deep.include({ customer: "Bruno Castelli", status: "pending", total: 114.8 });
    expect((await api.get("/products/1")).body.stock).to.equal(82);
    const early = await api.post(`/orders/${order.id}/ship`).expect(409);
    expect(early.body.error.message).to.equal(`order ${order.id} is pending; only one that is paid can become shipped`);
    await api.post(`/orders/${order.id}/pay`).expect(200);
    const shipped = await api.post(`/orders/${order.id}/ship`).send({ tracking_number: "T-1" }).expect(200);
    expect(shipped.body).to.deep.include({ status: "shipped", tracking_number: "T-1" });
    await api.post(`/orders/${order.id}/cancel`).expect(409);
  });

  it("puts the pieces of a cancelled order back into stock", async () => {
    const api = request(sample.app);
    const { body: order } = await api.post("/orders").send({ customer_id: 1, lines: [{ product_id: 4, quantity: 8 }] });
    await api
      .post("/orders")
      .send({ customer_id: 1, lines: [{ product_id: 4 }] })
      .expect(409);
    await api.post(`/orders/${order.id}/cancel`).expect(200);
    expect((await api.get("/products/4")).body.stock).to.equal(8);
    await api.delete(`/orders/${order.id}`).expect(204);
  });

  it("leaves nothing behind of an order that fails half-way", async () => {
    const api = request(sample.app);
    const lines = [{ product_id: 1 }, { product_id: 999 }];
    await api.post("/orders").send({ customer_id: 1, lines }).expect(400);
    expect((await api.get("/products/1")).body.stock).to.equal(84);
    expect((await api.get("/orders")).body.total).to.equal(36);
  });

  it("reports sales without cancelled orders, by the group asked for", async () => {
    const api = request(sample.app);
    const byMonth = (await api.get("/reports/sales").expect(200)).body;
    const byCountry = (await api.get("/reports/sales?group_by=country").expect(200)).body;
    expect(byMonth.revenue).to.equal(byCountry.revenue);
    expect(byMonth.rows[0]).to.have.all.keys("month", "orders", "pieces", "revenue");
    const february = (await api.get("/reports/sales?from=2026-02-01&to=2026-02-28").expect(200)).body;
    expect(february.revenue).to.equal(byMonth.rows[0].revenue);
  });

  it("answers every mistake with a JSON error that says what is wrong", async () => {
    const api = request(sample.app);
    const cases: [path: string, status: number, code: string][] = [
      ["/products/999", 404, "product_not_found"],
      ["/products/abc", 400, "invalid_request"],
      ["/products?colour=red", 400, "invalid_request"],
      ["/orders?status=lost", 400, "invalid_request"],
      ["/nothing", 404, "not_found"],
    ];
    for (const [path, status, code] of cases) {
      const { body } = await api.get(path).expect(status);
      expect(body.error.code, path).to.equal(code);
    }
    const broken = await api.post("/products").set("content-type", "application/json").send("{").expect(400);
    expect(broken.body.error.code).to.equal("invalid_request");
    const unknown = await api.post("/customers").send({ name: "X", email: "x@example.com", admin: true }).expect(400);
    expect(unknown.body.error.message).to.contain("admin");
    const taken = { name: "X", email: "ADA.lindqvist@example.com" };
    expect((await api.post("/customers").send(taken).expect(409)).body.error.code).to.equal("email_taken");
    await api.delete("/customers/1").expect(409);
    await api.delete("/products/1").expect(409);
  });

  it("listens on a free loopback port and is gone after close", async () => {
    const started = await startSampleApplication();
    expect(started.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${started.url}/openapi.json`)).status).to.equal(200);
    await started.close();
    const gone = await fetch(started.url).catch((error: Error) => error);
    expect(gone).to.be.instanceOf(Error);
  });
});

describe("npm run demo", () => {
  it("refuses an option that it does not know, and starts nothing", async () => {
    const { code, stdout, stderr } = await start([...typescript(join(packageRoot, "src/demo/main.ts")), "--oce"], {
      input: "",
    }).ended;
    expect([code, stdout]).to.deep.equal([2, ""]);
    expect(stderr).to.equal("demo: unknown option --oce. Only --once is known: it stops after the prompt.\n");
  });

  for (const signal of ["SIGKILL", "SIGTERM"] as const)
    it(`ends with its daemon and the sample application on ${signal} @all`, async function () {
      this.timeout(60_000);
      const demo = start(typescript(join(packageRoot, "src/demo/main.ts")));
      const url = await demo.prints(/Open (\S+) in a browser/);
      expect((await fetch(`${url}/-/healthz`)).status).to.equal(200);
      // Its daemon writes to the same stderr, which ends with the last of both.
      await demo.kill(signal);
      expect(await rejection(fetch(`${url}/-/healthz`))).to.be.an("error");
    });

  it("ends with the shell that npm started it in @all", async function () {
    if (process.platform === "win32") this.skip();
    this.timeout(60_000);
    const command = typescript(join(packageRoot, "src/demo/main.ts")).map((word) => `'${word}'`);
    // A command that follows keeps the shell from becoming the demonstration.
    const shell = start(["sh", "-c", `${command.join(" ")}; exit 0`], { env: { npm_lifecycle_event: "demo" } });
    const url = await shell.prints(/Open (\S+) in a browser/);
    // The demonstration and its daemon hold the shell's streams, too.
    await shell.kill("SIGTERM");
    expect(await rejection(fetch(`${url}/-/healthz`))).to.be.an("error");
  });

  it("ends its daemon when what guards it is killed @all", async function () {
    if (process.platform !== "linux") this.skip();
    this.timeout(60_000);
    const demo = start(typescript(join(packageRoot, "src/demo/main.ts")));
    const url = await demo.prints(/Open (\S+) in a browser/);
    const [guard = 0] = readFileSync(`/proc/${demo.pid}/task/${demo.pid}/children`, "utf8").split(" ").map(Number);
    expect(guard).to.be.greaterThan(0);
    process.kill(guard, "SIGKILL");
    expect((await demo.ended).stderr).to.contain("The daemon has ended by itself (SIGKILL).");
    expect(await rejection(fetch(`${url}/-/healthz`))).to.be.an("error");
  });
});
