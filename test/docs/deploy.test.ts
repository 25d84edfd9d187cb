// The files of deploy/ do what docs/deploy.md says: each proxy runs in front of a real daemon, the unit and the compose file are
// checked by their own programs. A program that is not installed here leaves its case pending.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import { parse } from "yaml";
import { read } from "../support/docs.js";
import { freePort } from "../support/free-port.js";
import { dataDir, type Running, serve, start, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const TOKEN = "a-token-of-its-own-4711";
const NAME = "agentd.example.com";
const TURNS = [{ prompt: "count", replies: [{ deltas: ["one", "two", "three"], delay_ms: 400 }] }];

const isThere = (program: string, flag = "--version"): boolean => spawnSync(program, [flag]).status === 0;

/** A proxy with the example's configuration, but for ports and certificates. */
interface Proxy {
  program: string;
  versionFlag: string;
  start(folder: string, ports: { daemon: number; proxy: number; spare: number }): Running;
}

const PROXIES: Proxy[] = [
  {
    program: "nginx",
    versionFlag: "-v",
    start(folder, { daemon, proxy }) {
      const [key, certificate, config] = ["key.pem", "cert.pem", "nginx.conf"].map((name) => join(folder, name));
      const subject = ["-subj", `/CN=${NAME}`, "-days", "1"];
      const self = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, "-keyout", `${key}`];
      expect(spawnSync("openssl", [...self, "-out", `${certificate}`]).status).to.equal(0);
      const site = read("deploy/nginx.conf")
        .replace("listen 443 ssl;", `listen 127.0.0.1:${proxy} ssl;`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
        .replace("127.0.0.1:4242", `127.0.0.1:${daemon}`);
      const own = `daemon off; master_process off; pid ${join(folder, "pid")}; error_log stderr notice; events {}`;
      const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const paths = folders.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ");
      writeFileSync(`${config}`, `${own}\nhttp { access_log off; ${paths}\n${site} }\n`);
      return start(["nginx", "-c", `${config}`]);
    },
  },
  {
    program: "caddy",
    versionFlag: "version",
    start(folder, { daemon, proxy, spare }) {
      const config = join(folder, "Caddyfile");
      const own = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttps_port ${proxy}\n\thttp_port ${spare}\n}\n`;
      writeFileSync(config, own + read("deploy/Caddyfile").replace("127.0.0.1:4242", `127.0.0.1:${daemon}`));
      const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
      return start(["caddy", "run", "--config", config, "--adapter", "caddyfile"], { env });
    },
  },
];

describe("The files of deploy/", function () {
  this.timeout(60_000);
  const home = dataDir({ turns: TURNS });
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("deploy");
  });
  afterEach(stopAll);

  /** A browser's view of the proxy: by its name, whatever the certificate. */
  const browser = (port: number) => {
    const host = `${NAME}:${port}`;
    const agent = new Agent({
      rejectUnauthorized: false,
      lookup: (_name, options, done) =>
        options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
    });
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Origin: `https://${host}` };
    const ask = (path: string, init: { method?: string; headers?: object; body?: string } = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const options = { agent, method: init.method ?? "GET", headers: { ...headers, ...init.headers } };
        request(`https://${host}${path}`, options, resolve).on("error", reject).end(init.body);
      });
    return { host, agent, headers, ask };
  };

  for (const proxy of PROXIES) {
    const title = `let ${proxy.program} pass events one by one, WebSockets, sign-in and refusals`;
    if (!isThere(proxy.program, proxy.versionFlag)) {
      it(`${title} (${proxy.program} is not installed here)`);
      continue;
    }
    it(title, async () => {
      const daemon = await serve(["--data-dir", home.dir], { env: { AGENTD_TOKEN: TOKEN } });
      const ports = { daemon: daemon.port, proxy: await freePort(), spare: await freePort() };
      const running = proxy.start(folder, ports);
      const { host, agent, headers, ask } = browser(ports.proxy);
      const isUp = () =>
        ask("/-/healthz").then(
          ({ statusCode }) => statusCode === 200,
          () => false,
        );
      await until(isUp, 20_000, "the proxy did not come up").catch((error: Error) => {
        throw new Error(`${error.message}:\n${running.stderr()}`);
      });

      const body = JSON.stringify({ message: "count" });
      const stream = await ask("/run", { method: "POST", headers: { Accept: "text/event-stream" }, body });
      const chunks: string[] = [];
      for await (const chunk of stream) chunks.push(String(chunk));
      // Three deltas 400 ms apart: buffered they would come as one.
      expect(chunks.length).to.be.at.least(4);
      expect(
        chunks
          .join("")
          .match(/"kind":"\w+"/g)
          ?.at(-1),
      ).to.equal('"kind":"done"');

      const socket = new WebSocket(`wss://${host}/chat`, { agent, headers });
      const kinds: string[] = [];
      socket.on("open", () => socket.send("count"));
      await new Promise<void>((resolve, reject) => {
        socket.on("error", reject);
        socket.on("message", (data) => {
          kinds.push((JSON.parse(String(data)) as { kind: string }).kind);
          if (kinds.at(-1) === "done") resolve();
        });
      });
      socket.close();
      const deltas = ["assistant_delta", "assistant_delta", "assistant_delta"];
      expect(kinds).to.deep.equal(["user_prompt", ...deltas, "assistant_message", "done"]);

      const status = async (path: string, init: Parameters<typeof ask>[1]) => (await ask(path, init)).statusCode;
      expect(await status("/tools", { headers: { Origin: "https://evil.example" } })).to.equal(403);
      expect(await status("/tools", { headers: { Authorization: "Bearer wrong" } })).to.equal(401);
      expect(await status("/-/signin", { method: "POST", body: JSON.stringify({ token: TOKEN }) })).to.equal(204);
      agent.destroy();
    });
  }

  const unit = "have a unit of the system that systemd-analyze verify takes";
  if (isThere("systemd-analyze"))
    it(unit, () => {
      const file = join(folder, "agentd.service");
      writeFileSync(file, read("deploy/agentd.service").replace("/usr/bin/node ", `${process.execPath} `));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
      expect([status, stderr]).to.deep.equal([0, ""]);
    });
  else it(`${unit} (systemd-analyze is not installed here)`);

  it("publish a container on loopback only, with every right taken away and no secret in the file", () => {
    const { services } = parse(read("deploy/compose.yaml")) as {
      services: { agentd: Record<string, string | string[]> };
    };
    const { agentd } = services;
    expect(agentd["ports"]).to.deep.equal(["127.0.0.1:4242:4242"]);
    expect(agentd).to.deep.include({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(agentd).to.not.have.property("environment");
  });

  it("have an image that runs as another user than root, is told of signals and is asked for its health", () => {
    const [, last = ""] = read("Dockerfile").split(/^FROM \$\{NODE\}$/m);
    for (const line of [/^USER node$/m, /^ENTRYPOINT \["tini", "--", "agentd"\]$/m, /127\.0\.0\.1:4242\/-\/healthz/])
      expect(last).to.match(line);
    expect(last).to.not.match(/TOKEN=|API_KEY/);
    expect(read(".dockerignore").split("\n")).to.include.members(["**/.agentd", "**/*.env", "**/node_modules"]);
  });
});
