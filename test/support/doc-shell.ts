// The commands of a page, run as a reader would: its files are saved, its blocks run one after another in one folder, and what a
// command prints is compared with the block of text below it. Source: CONTRIBUTING.md, "Documentation"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { blocks } from "./docs.js";
import { PROGRAM } from "./program.js";
import { type Running, start } from "./spawn.js";

/** One command of a page: how it is run, and what it prints. */
export interface Step {
  /** `sh` runs to its end, `sh stays` goes on in the background, `sh elsewhere` cannot be run here. */
  info: string;
  command: string;
  /** Lines where `…` stands for anything; a line of nothing else for any lines. Without a block below, nothing is compared. */
  output: string | undefined;
}

/** What differs from one run to the next, and how it is written for comparing. */
const VARIES: readonly [RegExp, string][] = [
  [/\d+(?:\.\d+)? ms\b/g, "N ms"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
  [/[ \t]+$/gm, ""],
];
/** Where the daemon listens when nothing else is said. */
const USUAL_PORT = "4242";
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The files that a page asks its reader to save: a fence with a language and a name. */
export function filesOf(page: string): { name: string; text: string }[] {
  return blocks(page).flatMap(({ info, text }) => {
    const [, name] = /^(?!sh\b)\w+ ([\w.-]+)$/.exec(info) ?? [];
    return name === undefined ? [] : [{ name, text }];
  });
}

/** The commands of a page with what is below each. */
export function stepsOf(page: string): Step[] {
  const all = blocks(page);
  return all.flatMap(({ info, text }, i) => {
    if (!/^sh\b/.test(info)) return [];
    const next = all[i + 1];
    return [{ info, command: text.trim(), output: next?.info === "text" ? next.text.trim() : undefined }];
  });
}

function plain(text: string): string {
  return VARIES.reduce((changed, [pattern, word]) => changed.replaceAll(pattern, word), text);
}

/** A pattern of what is written on the page, with a group for each id. */
function patternOf(output: string): RegExp {
  const literal = (line: string): string =>
    plain(line)
      .split("…")
      .map((piece) =>
        piece
          .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
          .replaceAll(/ {2,}/g, " +")
          .replaceAll(UUID, `(${UUID.source})`),
      )
      .join(".*");
  const lines = output.split("\n").map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${literal(line)}\n`));
  return new RegExp(`^${lines.join("")}`, "m");
}

/** A reader's folder, where the steps of a page are taken. */
export function createReader(page: string, ports: Readonly<Record<string, number>>) {
  const folder = mkdtempSync(join(tmpdir(), "agentd-page-"));
  const work = join(folder, "work");
  const bin = join(folder, "bin");
  for (const made of [work, bin]) mkdirSync(made);
  const program = join(bin, "agentd");
  writeFileSync(program, `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);

  /** Names of the page by the ones they have here: its ports, and the ids that a command printed. */
  const real = new Map(Object.entries(ports).map(([usual, port]) => [usual, String(port)]));
  const here = (text: string): string => [...real].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const running: Running[] = [];
  for (const { name, text } of filesOf(page)) writeFileSync(join(work, name), here(text));

  const run = (command: string): Running =>
    start(["sh", "-c", `exec 2>&1; ${command}`], {
      cwd: work,
      input: "",
      env: {
        PATH: `${bin}:${process.env["PATH"]}`,
        HOME: folder,
        AGENTD_PROVIDER: "offline",
        AGENTD_PORT: here(USUAL_PORT),
      },
    });

  return {
    /** Takes one step; throws when it fails, or prints something else than the page says. */
    take: async ({ info, command, output = "" }: Step): Promise<void> => {
      const child = run(here(info === "sh stays" ? `exec ${command}` : command));
      if (info === "sh stays") {
        running.push(child);
        await child.prints(here(output));
        return;
      }
      const { code, stdout } = await child.ended;
      expect(code, `${command}\n${stdout}`).to.equal(0);
      if (output === "") return;
      const match = patternOf(here(output)).exec(plain(stdout).concat("\n"));
      expect(match, `${command}\nprinted\n${stdout}\nnot\n${output}`).to.not.equal(null);
      for (const [i, written] of (output.match(UUID) ?? []).entries()) real.set(written, match?.[i + 1] ?? written);
    },
    close: async (): Promise<void> => {
      for (const child of running.reverse()) await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
