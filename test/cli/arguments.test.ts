// Arguments to values: what is refused before anything runs, and what comes out of the rest.
import { expect } from "chai";
import { checkArgv, parseArguments } from "../../src/cli/arguments.js";
import { type Command, defineCommand } from "../../src/cli/command.js";
import { LISTENER, MODEL_FLAGS, SAFETY, TOKEN } from "../../src/cli/options.js";
import { StartError } from "../../src/domain/error.js";

const options = { ...LISTENER, ...MODEL_FLAGS, ...SAFETY, ...TOKEN } as const;
const command = (positionals = ""): Command => defineCommand({ positionals, options, run: async () => 0 });
const parsed = (argv: string[], positionals = "[words..]"): Record<string, unknown> => {
  checkArgv(argv, { ...options });
  return { ...parseArguments(argv, "try", command(positionals)) };
};

describe("Arguments", () => {
  it("reads options in both spellings, with their types", () => {
    expect(parsed(["--port", "80", "--host=h", "--read-only", "--no-strict"])).to.include({
      port: 80,
      host: "h",
      readOnly: true,
      strict: false,
    });
  });

  it("leaves options that were not given undefined", () => {
    const args = parsed([]);
    for (const name of ["port", "host", "readOnly", "strict", "confirm", "token", "allowedHost"])
      expect(args[name], name).to.equal(undefined);
  });

  it("keeps texts texts: an empty token, a token of digits, a host after a list option", () => {
    expect(parsed(["--token", ""])).to.include({ token: "" });
    expect(parsed(["--token", "0123"])).to.include({ token: "0123" });
    const { allowedHost, words } = parsed(["--allowed-host", "a", "x", "--allowed-host", "1"]);
    expect({ allowedHost, words }).to.deep.equal({ allowedHost: ["a", "1"], words: ["x"] });
  });

  it("takes a single dash for the value of an option that needs one, and for a word elsewhere", () => {
    expect(parsed(["--token", "-", "x", "-"]))
      .to.include({ token: "-" })
      .and.deep.include({ words: ["x", "-"] });
    expect(parsed(["--allowed-host", "-", "-"])).to.deep.include({ allowedHost: ["-"], words: ["-"] });
    expect(parsed(["--read-only", "-"]))
      .to.include({ readOnly: true })
      .and.deep.include({ words: ["-"] });
    expect(parsed(["--host=h", "-"]))
      .to.include({ host: "h" })
      .and.deep.include({ words: ["-"] });
    expect(parsed(["--", "--token", "-"]).words).to.deep.equal(["--token", "-"]);
  });

  it("takes an alias for its option", () => {
    expect(parsed(["--bind", "::1"])).to.include({ host: "::1" });
  });

  it("never reads a prompt as an option's value or a number", () => {
    expect(parsed(["--read-only", "delete", "007"])["words"]).to.deep.equal(["delete", "007"]);
    const { words, readOnly } = parsed(["--", "--read-only", "-x"]);
    expect({ words, readOnly }).to.deep.equal({ words: ["--read-only", "-x"], readOnly: undefined });
    expect(parsed(["-"])["words"]).to.deep.equal(["-"]);
  });

  it("puts words to their names", () => {
    expect(parsed(["openapi", "x.json"], "<kind> <location>")).to.include({ kind: "openapi", location: "x.json" });
  });

  const refused: [argv: string[], message: RegExp][] = [
    [["--read-onyl"], /--read-onyl\. Did you mean --read-only\?/],
    [["--READ-ONLY"], /Did you mean --read-only\?/],
    [["--readOnly"], /Did you mean --read-only\?/],
    [["--no-token", "x"], /unknown option --no-token/],
    [["--zzzzzzzzzzzz", "3"], /unknown option --zzzzzzzzzzzz\. --help lists those of this command\.$/],
    [["-r"], /unknown option -r/],
    [["--read-only=1"], /on or off/],
    [["--read-only=False"], /on or off/],
    [["--strict", "--strict"], /given twice/],
    [["--strict", "--no-strict"], /given twice/],
    [["--token", "--read-only"], /--token needs a value/],
    [["-m"], /^-m needs a value/],
    [["--port="], /whole number/],
    [["--port", "80.5"], /whole number/],
    [["--port", "-1"], /whole number/],
    [["--port", "0x50"], /whole number/],
    [["--grace", "soon"], /whole number/],
    [["--__proto__", "x"], /unknown option/],
    [["--host.x", "y"], /unknown option/],
  ];
  for (const [argv, message] of refused)
    it(`refuses ${argv.join(" ")}`, () => {
      expect(() => parsed(argv))
        .to.throw(StartError, message)
        .with.property("exitCode", 2);
    });

  it("answers --help and --version before it complains about missing words", () => {
    expect(checkArgv(["--help"], options)).to.equal("help");
    expect(checkArgv(["-h", "--port", "1"], options)).to.equal("help");
    expect(checkArgv(["--version"], options)).to.equal("version");
    expect(checkArgv(["x"], options)).to.equal(undefined);
  });
});
