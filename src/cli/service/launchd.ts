// A launch agent of macOS: a property list. It has no file for secrets: those are named in config.json, as file:PATH.
// Our own XML, because five escapes are all it takes. Source: launchd.plist(5), launchctl(1).
import { homedir } from "node:os";
import { join } from "node:path";
import { StartError } from "../../domain/error.js";
import { outputOf, runManager } from "./manager-program.js";
import type { ServiceDefinition, ServiceManager } from "./service-manager.js";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
/** Decimal of 0077: a plist has no octal numbers. */
const UMASK = 0o077;
/** Seconds until launchd ends it for good: the grace of running turns and their last calls. */
const EXIT_TIMEOUT_S = 30;

function xmlString(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new StartError(`a property list cannot hold the path ${JSON.stringify(text)}: it has a control character.`);
  return `<string>${text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)}</string>`;
}

function plistText({ node, program, dataDir }: ServiceDefinition, label: string, logFile: string): string {
  const words = [node, program, "serve", "--data-dir", dataDir].map((word) => `    ${xmlString(word)}`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by agentd service install. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${xmlString(label)}
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>${EXIT_TIMEOUT_S}</integer>
  <key>Umask</key>
  <integer>${UMASK}</integer>
  <key>StandardErrorPath</key>
  ${xmlString(logFile)}
</dict>
</plist>
`;
}

/** The manager of the launch agent of this name. */
export function createLaunchd(name: string): ServiceManager {
  const label = `local.${name}`;
  const file = join(homedir(), "Library", "LaunchAgents", `${label}.plist`);
  const logFile = join(homedir(), "Library", "Logs", `${name}.log`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const isLoaded = (): boolean => outputOf(["launchctl", "print", `${domain}/${label}`]).isOk;
  const stop = (): void => {
    if (isLoaded()) runManager(["launchctl", "bootout", `${domain}/${label}`]);
  };
  return {
    kind: "launchd",
    file,
    environmentFile: undefined,
    text: (definition) => plistText(definition, label, logFile),
    isFor: (text, dataDir) => text.includes(`${xmlString(dataDir)}\n`),
    isReachable: () => outputOf(["launchctl", "print", domain]).isOk,
    start() {
      stop();
      runManager(["launchctl", "bootstrap", domain, file]);
    },
    stop,
    forget: () => {},
    state() {
      const { isOk, text } = outputOf(["launchctl", "print", `${domain}/${label}`]);
      const word = /^\s*state = (.*)$/m.exec(text)?.[1] ?? "not loaded";
      return { isEnabled: isOk, isActive: word === "running", word };
    },
    commands: {
      start: `launchctl bootstrap ${domain} ${file}`,
      stop: `launchctl bootout ${domain}/${label}`,
      log: `tail -f ${logFile}`,
    },
  };
}
