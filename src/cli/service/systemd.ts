// A user unit of systemd. What it takes away from the service needs no namespace: those are not given to user units everywhere.
// Source: systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.syntax(7).
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { StartError } from "../../domain/error.js";
import { outputOf, runManager } from "./manager-program.js";
import type { ServiceDefinition, ServiceManager } from "./service-manager.js";

/** A word of a command line: quotes and backslashes escaped, `%` and `$` doubled. Throws StartError for a control character. */
function unitWord(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new StartError(`a unit cannot hold the path ${JSON.stringify(text)}: it has a control character.`);
  return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

function unitText({ node, program, dataDir }: ServiceDefinition, environmentFile: string): string {
  const command = [node, program, "serve", "--data-dir", dataDir].map(unitWord).join(" ");
  return `# Made by agentd service install. Settings belong into config.json of the data directory, secrets into the file below.
[Unit]
Description=agentd, which lets you talk to your own application
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command}
ExecReload=/bin/kill -HUP $MAINPID
EnvironmentFile=-${environmentFile.replaceAll("%", "%%")}
Restart=on-failure
RestartSec=2
# 2 is a mistake in the command line, which a restart does not mend.
RestartPreventExitStatus=2
KillMode=mixed
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
`;
}

/** The manager of the user unit of this name. */
export function createSystemd(name: string, env: NodeJS.ProcessEnv): ServiceManager {
  const { XDG_CONFIG_HOME: xdg = "" } = env;
  const config = isAbsolute(xdg) ? xdg : join(homedir(), ".config");
  const unit = `${name}.service`;
  const environmentFile = join(config, "agentd", `${name}.env`);
  const systemctl = (...args: string[]): void => runManager(["systemctl", "--user", ...args]);
  return {
    kind: "systemd",
    file: join(config, "systemd", "user", unit),
    environmentFile,
    text: (definition) => unitText(definition, environmentFile),
    isFor: (text, dataDir) => text.includes(` ${unitWord(dataDir)}\n`),
    isReachable: () => outputOf(["systemctl", "--user", "show-environment"]).isOk,
    start() {
      systemctl("daemon-reload");
      systemctl("enable", unit);
      systemctl("restart", unit);
    },
    stop: () => systemctl("disable", "--now", unit),
    forget: () => systemctl("daemon-reload"),
    state() {
      const word = outputOf(["systemctl", "--user", "is-active", unit]).text;
      return {
        isEnabled: outputOf(["systemctl", "--user", "is-enabled", unit]).isOk,
        isActive: word === "active",
        word,
      };
    },
    commands: {
      start: `systemctl --user daemon-reload && systemctl --user enable --now ${unit}`,
      stop: `systemctl --user disable --now ${unit}`,
      log: `journalctl --user --unit ${unit}`,
      afterSignOut: "loginctl enable-linger",
    },
  };
}
