// Which proxy an address goes through, by the variables alone.
import { expect } from "chai";
import { proxyFor, proxyNotes } from "../../src/lib/proxy.js";

const BOTH = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2" };

describe("The proxy of an address", () => {
  const chosen = (origin: string, env: Record<string, string | undefined>): string | undefined =>
    proxyFor(origin, env)?.origin;

  it("is named by the variable of its protocol, or by ALL_PROXY, in either case", () => {
    const table: [Record<string, string>, string | undefined, string | undefined][] = [
      [{}, undefined, undefined],
      [BOTH, "http://secure:1", "http://plain:2"],
      [{ HTTPS_PROXY: "http://secure:1" }, "http://secure:1", undefined],
      [{ ALL_PROXY: "http://all:3" }, "http://all:3", "http://all:3"],
      [{ all_proxy: "http://all:3", http_proxy: "http://plain:2" }, "http://all:3", "http://plain:2"],
      [{ https_proxy: "http://small:4", ...BOTH }, "http://small:4", "http://plain:2"],
      [{ https_proxy: " ", ...BOTH }, "http://secure:1", "http://plain:2"],
      [{ HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128", undefined],
      [{ HTTPS_PROXY: "https://proxy" }, "https://proxy", undefined],
    ];
    for (const [env, secure, plain] of table) {
      expect(chosen("https://shop.test", env), JSON.stringify(env)).to.equal(secure);
      expect(chosen("http://shop.test", env), JSON.stringify(env)).to.equal(plain);
    }
  });

  it("G35 is none on this machine, whatever is set", () => {
    const own = ["127.0.0.1", "127.255.0.9:81", "localhost", "LOCALHOST.", "shop.localhost", "[::1]:8080"];
    for (const host of [...own, "[::ffff:127.0.0.1]", "0.0.0.0:1", "[::]"])
      for (const env of [BOTH, { ...BOTH, NO_PROXY: "" }, { ...BOTH, NO_PROXY: "example.com" }])
        expect(chosen(`http://${host}`, env), host).to.equal(undefined);
    for (const host of ["127.0.0.1.example.com", "localhost.example.com", "128.0.0.1", "[::2]"])
      expect(chosen(`http://${host}`, BOTH), host).to.equal("http://plain:2");
  });

  it("is none for what NO_PROXY names: hosts with all below them, suffixes, ports, addresses, ranges, *", () => {
    const direct: [string, string][] = [
      ["*", "shop.test"],
      ["shop.test", "shop.test"],
      ["shop.test", "eu.shop.test:8443"],
      [".shop.test", "eu.shop.test"],
      ["*.shop.test", "eu.shop.test"],
      ["a.test, SHOP.test", "shop.TEST"],
      ["a.test b.test", "b.test"],
      ["shop.test:8443", "shop.test:8443"],
      ["shop.test:443", "shop.test"],
      ["192.0.2.7", "192.0.2.7:81"],
      ["192.0.2.0/24", "192.0.2.200"],
      ["2001:db8::/32", "[2001:db8::7]"],
      ["[2001:db8::7]:81", "[2001:db8::7]:81"],
      ["shop.test.", "shop.test"],
    ];
    const proxied: [string, string][] = [
      ["shop.test", "myshop.test"],
      ["shop.test", "shop.test.example"],
      ["shop.test:8443", "shop.test"],
      ["192.0.2.0/24", "192.0.3.1"],
      ["192.0.2.0/33", "192.0.2.1"],
      ["0.2.7", "192.0.2.7.0.2.7.test"],
      ["2.7", "192.0.2.7"],
      [".", "shop.test"],
      ["", "shop.test"],
      [",,", "shop.test"],
    ];
    for (const [NO_PROXY, host] of direct)
      for (const env of [{ NO_PROXY }, { no_proxy: NO_PROXY }])
        expect(chosen(`https://${host}`, { ...BOTH, ...env }), `${NO_PROXY} for ${host}`).to.equal(undefined);
    for (const [NO_PROXY, host] of proxied)
      expect(chosen(`https://${host}`, { ...BOTH, NO_PROXY }), `${NO_PROXY} for ${host}`).to.equal("http://secure:1");
  });

  it("is displayed without its user and password, which it is sent as they are", () => {
    const env = { HTTPS_PROXY: "http://me:p%40ss%2Fword@proxy:3128/path" };
    const proxy = proxyFor("https://shop.test", env);
    expect(proxy?.origin).to.equal("http://proxy:3128");
    expect(proxy?.authorization).to.equal(`Basic ${Buffer.from("me:p@ss/word").toString("base64")}`);
    const { usable, broken } = proxyNotes(env);
    expect(usable.join()).to.contain("http://proxy:3128 (HTTPS_PROXY)").and.not.contain("word");
    expect(broken).to.deep.equal([]);
  });

  it("is refused without repeating a variable that cannot be used, and matters only where it would be used", () => {
    for (const value of ["socks5://me:secret@proxy:1", "http://me:secret@", "http://me:sec%ret@proxy"]) {
      const env = { ALL_PROXY: value };
      expect(() => proxyFor("https://shop.test", env), value)
        .to.throw(/ALL_PROXY/)
        .and.not.match(/sec/);
      expect(proxyNotes(env).broken.join())
        .to.match(/ALL_PROXY/)
        .and.not.match(/sec/);
      expect(proxyFor("https://localhost", env)).to.equal(undefined);
      expect(proxyFor("https://shop.test", { ...env, NO_PROXY: "*" })).to.equal(undefined);
    }
  });
});
