// Which keys hold, by their name, what must not be stored or displayed: passwords, tokens, keys. Headers, members of JSON objects,
// query parameters and configuration are all judged here, in any spelling: DB_PASSWORD, secretKey, X-Api-Key.

const SECRET = new RegExp(
  [
    "^(pass|cookie|set cookie|cvv|cvc|card number|ssn)$",
    "(^| )authorization$",
    "(^| )(passwords?|passwd|passphrase|passcode)( (confirmation|confirm|again|repeat|hash|digest))?$",
    "(^| )(secret|credentials?|jwt)$",
    "(^| )(x ?)?(api|access|private|secret|signing|encryption|auth|master) ?key$",
    "(^| )(client ?secret|(access|refresh|id|auth|session|service|bearer|csrf)?token)$",
  ].join("|"),
);
/** Tokens that page through a list; they open nothing. */
const PAGE_TOKEN = /(^| )(page|next|prev|previous|continuation|sync|cursor|skip|start|starting|resume|delta) ?token$/;
/** Names of many: of secrets, or of records about them, or a count. */
const PLURAL = /(^| )(secrets|cookies|((api|access|private|secret) ?key|token)s)$/;

/** Names that hold a secret together with the name around them: { "api": { "key": … } }. */
const PART = /^(key|keys|number|hash|digest|confirm|confirmation|again|repeat)$/;

/** A piece of every name above, in any spelling: most names have none, and are not looked at any further. */
const TELLING =
  /pass|cookie|cvv|cvc|card|ssn|auth|credential|secret|jwt|key|token|number|hash|digest|confirm|again|repeat/iu;

/** What a key implies for its value: all of it is secret, its texts are (the rest is records or counts), or nothing. */
type Sensitivity = "secret" | "texts" | "none";

/** "X-Api-Key", "api_key" and "apiKey" as "x api key", "api key" and "api key". */
function words(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/[ 0-9]+$/, "")
    .trimStart();
}

function judge(key: string): Sensitivity | "part" {
  const text = words(key);
  if (SECRET.test(text)) return PAGE_TOKEN.test(text) ? "none" : "secret";
  if (PLURAL.test(text)) return "texts";
  return PART.test(text) ? "part" : "none";
}

/** A long result has the same few keys in every row; a map of ids has as many as it likes. */
const KEPT = 4096;
/** No name of a field is longer; a text that is a key would fill the memory. */
const LONGEST_KEY = 100;
const judged = new Map<string, Sensitivity | "part">();

/** What a key's name implies for its value; `around` is the name of what it is a member of, "" when there is none. */
export function sensitivityOf(key: string, around = ""): Sensitivity {
  if (key.length > LONGEST_KEY || !TELLING.test(key)) return "none";
  // No name above has a number of its own: "password17" is judged once for all numbers.
  const name = key.replace(/\d+/g, "0");
  let found = judged.get(name);
  if (found === undefined) {
    if (judged.size >= KEPT) judged.clear();
    judged.set(name, (found = judge(name)));
  }
  if (found !== "part") return found;
  return around === "" ? "none" : sensitivityOf(`${around} ${key}`);
}

/** Whether a key by its name holds something that must not be stored or displayed. */
export function isSensitiveKey(key: string): boolean {
  return sensitivityOf(key) === "secret";
}

/** What vendors call credentials in headers and parameters: Ocp-Apim-Subscription-Key, X-Auth, X-Signature, DD-APPLICATION-KEY. */
const SENT_SECRET = /(^| )(key|auth|sign|signature|sig|pass|pwd|login|credentials?|token|session|cookie|secret)$/;
/** Whether a name is what vendors call credentials, more broadly than a field of an answer: for what is known to be one of few. */
export function isCredentialName(name: string): boolean {
  return isSensitiveKey(name) || SENT_SECRET.test(words(name));
}
/** A generated key, whatever it is called: long, one word, with digits among letters. No path, no media type, no UUID, which names things. */
const GENERATED = /^(?=.*\d)(?=.*[A-Za-z])(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[A-Za-z0-9+=_-]{20,}$/i;

/**
 * Whether a header or parameter that an operator wrote, and that is sent with every request, holds a credential: by its name, more
 * broadly than a field of an answer, or because its value looks like one.
 */
export function isSentSecret(name: string, value: string): boolean {
  return isCredentialName(name) || GENERATED.test(value);
}
