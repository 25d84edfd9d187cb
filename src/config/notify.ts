// Who is told when a confirmation waits: an address, headers for it, a command. The address may be a secret itself.
// Source: docs/reference.md, "Being told of confirmations".
import { StartError } from "../domain/error.js";
import { isLoopback } from "../lib/loopback.js";
import { readHeaders } from "./credentials.js";
import { SECRETS, TEXT, TEXTS } from "./kinds.js";
import type { Found, Sources } from "./setting.js";
import { setting, under } from "./setting.js";

/** An address that may be sent to; beyond this machine with TLS only. Throws StartError. */
function checkNotifyUrl({ value, place }: Found<string>, { secrets }: Sources): string | undefined {
  const isReference = /^(env|file):/.test(value);
  const address = isReference ? secrets.read(place, value) : value;
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // What a reference holds is a secret: it is not repeated.
  const which = isReference ? value : `"${value}"`;
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLoopback(url.hostname)))
    throw new StartError(`${place}: ${which} is neither an https address nor an http one of this machine.`);
  if (url.username || url.password)
    throw new StartError(`${place}: ${which} holds a user name or password. Write it into notify.headers.`);
  return address;
}

const ROWS = {
  url: setting({
    name: "url",
    kind: TEXT,
    defaultText: "none",
    description:
      "Address that gets a POST when a call waits for confirmation; env:NAME or file:PATH where it is a secret",
    more: "https, or http on this machine; [more](reference.md#being-told-of-confirmations)",
    resolve: checkNotifyUrl,
    show: (url) => (url === undefined ? null : new URL(url).origin),
  }),
  headers: setting({
    name: "headers",
    kind: SECRETS,
    default: {},
    description: "Sent with it",
    isSecret: true,
    resolve: readHeaders,
  }),
  command: setting({
    name: "command",
    kind: TEXTS,
    default: [],
    description: "Program and arguments that are run, without a shell, when a call waits for confirmation",
    more: "it reads what waits as JSON from its standard input",
  }),
};

/** The settings under `notify`. */
export const NOTIFY_SETTINGS = under("notify", ROWS);
