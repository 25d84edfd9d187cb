// `agentd doctor`: looks at everything that has to be well, and says what to do about each thing that is not. Works without a
// daemon and beside one; changes nothing. Source: docs/reference.md, "Doctor".
import { loadSettings, type Settings } from "../../config/settings.js";
import { VENDORS } from "../../config/vendors.js";
import { messageOf } from "../../domain/error.js";
import { useAuthorities } from "../../lib/authorities.js";
import { visible } from "../../lib/invisible-characters.js";
import { createRedactor } from "../../lib/redact/redact.js";
import type { Daemon } from "../client/client.js";
import { findDaemon } from "../client/connect.js";
import { chooseDataDir, type DataDir } from "../client/data-dir.js";
import { defineCommand, type SharedArgs } from "../command.js";
import { type Check, checked, failed, ok, warned } from "../doctor/check.js";
import { checkDirectory, checkDisk, checkListener, checkNode, checkRecord } from "../doctor/machine.js";
import { checkApplications, checkClock, checkModel } from "../doctor/reach.js";
import { LISTENER, PARTS, SAFETY, TOKEN } from "../options.js";
import { printJson, printProse } from "../terminal/output.js";

const MARK = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

/** The settings, as far as they can be read, and how they are. */
async function readSettings(
  args: SharedArgs,
  { dir, trust }: DataDir,
  daemon: Daemon | undefined,
): Promise<{ settings?: Settings; isWhole: boolean; checks: Check[] }> {
  const check = "config";
  const load = (lenient: boolean): Promise<Settings> =>
    loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient });
  try {
    const settings = await load(false);
    const warnings = settings.warnings.map((text) => warned(check, text));
    // An entry that is not in use stops nothing: only prompts that choose it.
    const unusable = settings.provider.entries.flatMap((entry) => ("error" in entry ? warned(check, entry.error) : []));
    const checks = [...warnings, ...unusable];
    return { settings, isWhole: true, checks: checks.length > 0 ? checks : [ok(check, "can be read")] };
  } catch (error) {
    // What is missing here may be there where the daemon was started.
    const found = (text: string): Check => (daemon ? warned(check, `in this terminal: ${text}`) : failed(check, text));
    try {
      const settings = await load(true);
      const faults = new Set([messageOf(error), ...settings.missingSecrets]);
      return { settings, isWhole: false, checks: [...faults].map(found) };
    } catch {
      return { isWhole: false, checks: [failed(check, messageOf(error))] };
    }
  }
}

/** The address a provider is reached at, as far as the settings say. */
function modelAddress(settings: Settings): string[] {
  const { baseUrl, type } = settings.provider.configured ?? {};
  const host = VENDORS.find(({ name }) => name === type)?.host;
  return baseUrl ? [baseUrl] : host ? [`https://${host}/`] : [];
}

/** Every check, in the order they are displayed; each text without a secret. */
async function examine(args: SharedArgs, isOffline: boolean): Promise<Check[]> {
  const checks = await checked("node", checkNode);
  let chosen: DataDir;
  try {
    chosen = await chooseDataDir(args);
  } catch (error) {
    return [...checks, failed("directory", messageOf(error))];
  }
  const { dir } = chosen;
  checks.push(...(await checked("directory", () => checkDirectory(dir))));
  checks.push(...(await checked("disk", () => checkDisk(dir))));
  const daemon = await findDaemon(chosen).catch(() => undefined);
  const { settings, isWhole, checks: configuration } = await readSettings(args, chosen, daemon);
  checks.push(...configuration);
  checks.push(...(await checked("database", () => checkRecord(dir))));
  if (!settings) return checks;
  const redactor = createRedactor(settings.secrets);
  useAuthorities(settings.caFile?.certificates ?? []);
  checks.push(...(await checked("daemon", () => checkListener(dir, daemon, settings))));
  const askModel = (): Promise<Check[]> => checked("model", () => checkModel(settings, redactor, isOffline));
  checks.push(...(isWhole ? await askModel() : [warned("model", "not asked: what config is lacking comes first")]));
  let addresses = modelAddress(settings);
  checks.push(
    ...(await checked("applications", async () => {
      const found = await checkApplications({ settings, redactor, isOffline });
      addresses = [...addresses, ...found.addresses];
      return found.checks;
    })),
  );
  if (!isOffline && !settings.policy.dry_run && addresses.length > 0)
    checks.push(...(await checked("clock", () => checkClock(addresses))));
  return checks.map((one) => ({
    ...one,
    message: redactor.text(one.message),
    ...(one.advice !== undefined && { advice: redactor.text(one.advice) }),
  }));
}

export const doctorCommand = defineCommand({
  options: {
    json: { type: "boolean", describe: "Print what was found as a JSON object" },
    offline: { type: "boolean", describe: "Ask no model and send nothing to an application" },
    ...LISTENER,
    ...SAFETY,
    ...PARTS,
    ...TOKEN,
  },
  examples: [["agentd doctor", "what is not well, and what to do about it"]],
  async run(args) {
    const checks = await examine(args, args.offline === true);
    const isWell = checks.every(({ status }) => status !== "fail");
    if (args.json) printJson({ ok: isWell, checks }, 2);
    else
      for (const { check, status, message, advice } of checks)
        printProse(visible(`${MARK[status]}  ${check}: ${message}${advice ? `\n      → ${advice}` : ""}\n`));
    return isWell ? 0 : 1;
  },
});
