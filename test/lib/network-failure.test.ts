// Which failure of the network an error is, wherever in the chain of causes its code stands.
import { expect } from "chai";
import { networkFailureOf } from "../../src/lib/network-failure.js";

const coded = (code: string, cause?: unknown): Error => Object.assign(new Error("failed", { cause }), { code });

describe("A failure of the network", () => {
  it("is known by its code", () => {
    const kinds = (codes: string[]): string[] => codes.map((code) => networkFailureOf(coded(code)).kind);
    expect(kinds(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"])).to.deep.equal([
      "refused",
      "unknown_host",
      "lookup_failed",
    ]);
    expect(kinds(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"])).to.deep.equal(["connect_timeout", "timeout"]);
    expect(kinds(["ERR_SSL_WRONG_VERSION_NUMBER", "CERT_HAS_EXPIRED", "EPROTO"])).to.deep.equal(["tls", "tls", "tls"]);
    expect(kinds(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])).to.deep.equal(["closed", "closed", "closed"]);
    expect(
      kinds(["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "UND_ERR_RES_EXCEEDED_MAX_SIZE", "Z_DATA_ERROR"]),
    ).to.deep.equal(["cut_short", "invalid_response", "invalid_response"]);
  });

  it("is found in causes and among several addresses, behind codes that say nothing", () => {
    const refused = new AggregateError([coded("ECONNREFUSED"), coded("EHOSTUNREACH")]);
    expect(networkFailureOf(new TypeError("fetch failed", { cause: refused })).kind).to.equal("refused");
    expect(networkFailureOf(coded("ERR_WRAPPED", coded("ENOTFOUND")))).to.deep.equal({
      kind: "unknown_host",
      code: "ENOTFOUND",
      mayBeSent: false,
    });
  });

  it("may have come after the request was sent, unless it is known to come before", () => {
    for (const code of ["ECONNREFUSED", "ENETUNREACH", "CERT_HAS_EXPIRED", "UND_ERR_INVALID_ARG"])
      expect(networkFailureOf(coded(code)).mayBeSent, code).to.equal(false);
    for (const code of ["ECONNRESET", "HPE_INVALID_CONSTANT", "EWHATEVER"])
      expect(networkFailureOf(coded(code)).mayBeSent, code).to.equal(true);
  });

  it("is another one without a code, and ends in a circle of causes", () => {
    const other = { kind: "other", code: "", mayBeSent: true };
    const circle = new Error("circle");
    circle.cause = circle;
    for (const error of [new Error("x"), "x", undefined, circle]) expect(networkFailureOf(error)).to.deep.equal(other);
  });
});
