// The objects of a request and its response, as Express and its routes have made them.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express from "express";
import { createExchangeClasses } from "../../src/server/exchange.js";
import { haveSameClass } from "../support/hidden-class.js";

type Pair = [IncomingMessage, ServerResponse];

describe("Requests and responses of the interface", () => {
  it("are of one hidden class each, whatever Express adds to them", async () => {
    const app = express();
    const { IncomingMessage, ServerResponse } = createExchangeClasses(app);
    const held: Pair[] = [];
    app.use((_req, res, next) => {
      res.setHeader("x-any", "1");
      next();
    });
    app.get("/one/:id", (req, res) => {
      held.push([req, res]);
      if (held.length % 2 === 0) for (const [, answer] of held.slice(-2)) answer.end(req.params.id);
    });
    const server = createServer({ IncomingMessage, ServerResponse }, app).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/one/7`;
      for (let i = 0; i < 3; i++) await Promise.all([fetch(url), fetch(url)]);
      const [first, second] = held.slice(-2) as [Pair, Pair];
      expect(haveSameClass(first[0], second[0]), "requests").to.equal(true);
      expect(haveSameClass(first[1], second[1]), "responses").to.equal(true);
      expect(Object.getPrototypeOf(first[0])).to.equal((app as { request: unknown }).request);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
