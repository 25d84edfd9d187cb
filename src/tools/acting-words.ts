// The words that tell what an operation does, in the grammar of APIs: verbs that change something, verbs that read, and the
// nouns behind a verb that make a noun of both ("cancel reasons"). Words only; what follows from them is decided elsewhere.
import { isPlural, singularOf } from "../lib/plural.js";

const listed = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** Verbs that change something and are no nouns: "/cache/flush" can only be a command. */
const VERBS = listed(`
  accept ack acknowledge activate add allocate anonymize append apply approve assign attach begin buy cancel clear clockin
  clockout configure confirm connect consume create createdb deactivate decline decommission decrement delete deny deprovision
  deregister destroy detach disable disconnect dismiss downvote drain dropdb eject enable enqueue enroll erase evict exec execute
  expire finalize flush freeze halt hibernate hide impersonate increment ingest init initdb initialize initiate insert install
  invalidate invoke kick logoff logout migrate
  modify mute notify nuke optin optout populate portforward poweroff poweron promote provision publish purge reactivate reassign
  reboot rebuild recalculate recompute reconnect recreate redeem redeploy reenable refresh regenerate reindex reinitialize
  reinstall reject reload remove rename renew reopen reorder replace replay reprocess rerun reschedule resend reset resetdb
  restart restore resubmit resync retire retry reverify revert revoke rotate send shutdown signoff signout submit subscribe
  suspend switchoff switchon teardown terminate toggle truncate turnoff turnon unarchive unassign unban unblock undelete
  undeploy undo unfollow unfreeze unhide uninstall unlike unlink unlock unmute unpin unpublish unregister unset unshare unstar
  unsubscribe unsuspend unwatch upsert upvote vacuum wake wipe withdraw`);

/** Verbs that are nouns or adjectives too: "/jobs/{id}/run" is a command, unless it answers with a run. */
const ALSO_NOUNS = listed(`
  archive backup ban block boot build capture charge checkin checkout claim cleanup clone close commit complete copy crawl deploy
  dispatch drop empty favorite finish follow fork grant import invite join kill launch leave like lock login mark merge move open
  pause pay pin purchase refund register release resume rollback run save schedule scrape seed set setup share ship signin signup
  skip star start stop swap switch sync synchronize transfer trash trigger update upgrade upload vote warmup`);

/** Of those, the ones that are verbs before another word, if that is not one for a record: "/run-migrations". */
const LEADING = listed(`
  deploy dispatch import launch mark run seed start stop sync synchronize trigger update upload`);

/** Of those, the ones that are verbs before one thing: "ban user", "close ticket", but "open issues", "purchase order". */
const BEFORE_ONE = listed(`
  ban clone close copy follow grant join kill like lock move pause pin register save set skip transfer upgrade`);

/** Of those, the ones that hardly name what is read: "/rollback", "/pay". */
const ALONE = listed(`
  ban cleanup crawl follow join kill lock pause pay rollback scrape skip upgrade vote warmup`);

/** Verbs that need an article behind them to be told from nouns: "Request a report", but "Request log". */
const WITH_ARTICLE = listed(`
  assume book bookmark buy change charge credit debit edit end exchange expire extend fire force issue link patch place post process
  push put record request reserve sign store tag watch`);

const CREDENTIALS = listed("apikey credential credentials key secret token");

/** Verbs that change something by what stands behind them, and read otherwise: "verify email", but "verify signature". */
const ACTING_ON: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["verify", listed("account email mail registration signup")],
  ["generate", CREDENTIALS],
]);

/** Verbs that command only before what they are done to: "drop tables", "open door", but "drop rates", "open issues". */
const COMMANDING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["cast", listed("ballot vote")],
  ["drop", listed("cache collection column database db index keyspace partition schema table")],
  ["format", listed("disk drive filesystem partition storage volume")],
  ["generate", CREDENTIALS],
  ["grant", listed("access admin permission privilege role")],
  ["kill", listed("connection container instance job process server session task thread")],
  ["open", listed("barrier door garage gate shutter valve")],
  ["train", listed("classifier model network")],
]);

/** Verbs that only read, whatever the method. */
const READING = listed(`
  autocomplete browse calculate check compare compute count describe diff download enumerate estimate explain fetch filter find get
  inspect list lookup preview query read retrieve search validate view`);

/**
 * Verbs and auxiliaries that read where the method does: "Resolve a name" and "Returns the members", but "Resolve an incident",
 * "Return a transfer", "Show a message on the screen" and "Export a room".
 */
const READING_BY_GET = listed(`
  are can determine display does evaluate export give has is load measure monitor obtain ping poll provide render resolve return scan
  see select show stream suggest summarize tail`);

/** Nouns for what is kept about an action: behind a verb they make a noun of it ("cancel reason", "refresh rate"). */
const ATTRIBUTES = listed(`
  activity attempt audit button category center chart code condition config configuration cost count criteria date day deadline
  description detail error fee field flag flow form format frequency header history id info information instruction interval kind
  label limit link list log marker metadata method metric mode model name note number on option page parameter path permission
  point policy position preference preview price priority process progress property quota rate reason record reference request
  requirement response result role rule screen setting size source state statistic stats status step strategy summary target term
  threshold time timestamp title total type url uri user-agent value version view volume warning window`);

/** Nouns for what is acted on, which make a noun of a verb before them in the plural only: "reset tokens", but "cancel task". */
const THINGS = listed(`
  action channel event item job key mapping message order payload plan queue report schedule script session task template token`);

/** Verbs that stand before nouns as a part of them: "cancel policy", "delete marker"; others there command: "revoke token". */
const MODIFIERS = listed(`
  accept add assign attach begin cancel checkin checkout confirm connect create delete hide insert install invite kick login
  logout mute notify publish purge refresh register remove replay reset restore retry send submit suspend withdraw`);

/** Before a verb they make a question or a noun of it: "can-delete", "last-reset". */
const BEFORE_NOUNS = listed(`
  after allow allowed auto before can could did does each first has if is last latest may need needs new next no not number of on
  pending per planned post pre previous recent scheduled should time to upcoming was what when will`);

/** Behind a verb they show that it is one: "run the job". */
export const ARTICLES = listed(`
  a additional all an and any another each every existing her his into it its multiple my new one or our particular selected several
  single some specific specified that the their them these this those your`);

/** Two words that are one verb: "log out", "shut down". */
const PARTICLES = listed("back down forward in into off on out up");
/** Words of a phrase whose last may be the second part of its verb. */
const MAX_PARTED = 6;
const PARTED = listed("boot check clock kick log opt port power roll set shut sign switch tear turn");

/** The verb a word may be a form of: as it is, or in the third person ("deletes", "flushes", "applies"). */
function baseOf(word: string): string[] {
  if (!word.endsWith("s")) return [word];
  const bases = [word, word.slice(0, -1)];
  if (word.endsWith("es")) bases.push(word.slice(0, -2));
  if (word.endsWith("ies")) bases.push(`${word.slice(0, -3)}y`);
  return bases;
}

/** American spelling, so that a verb stands in a list once. */
function american(word: string): string {
  return word.replace(/is(e|es)$/, "iz$1");
}

const among = (words: ReadonlySet<string>, word: string): boolean =>
  baseOf(word).some((base) => words.has(base) || words.has(american(base)));

export const isVerb = (word: string): boolean => among(VERBS, word);
export const isAlsoNoun = (word: string): boolean => among(ALSO_NOUNS, word);
export const isLeading = (word: string): boolean => among(LEADING, word);
export const isBeforeOne = (word: string): boolean => BEFORE_ONE.has(word);
export const isAlone = (word: string): boolean => ALONE.has(word);
export const needsArticle = (word: string): boolean => among(WITH_ARTICLE, word);
export const isPlainlyReading = (word: string): boolean => among(READING, word);
export const isReading = (word: string): boolean => among(READING, word) || among(READING_BY_GET, word);
export const isBeforeNoun = (word: string): boolean => BEFORE_NOUNS.has(word);

/** What a set of things has. */
const OF_A_SET = /^(?:count|detail|details|id|info|list|number|size|type)$/;

/** Whether a verb and what stands behind it without an article are one noun: "cancel reasons", "reset tokens", "import errors". */
export function isCompound(verb: string, behind: string): boolean {
  // What is set is mostly an attribute: "set mode".
  if (verb === "set") return OF_A_SET.test(behind);
  if (isVerb(verb) && !among(MODIFIERS, verb)) return false;
  return among(ATTRIBUTES, behind) || (isPlural(behind) && among(THINGS, behind));
}

/** The verb in a gerund: "deleting", "resetting"; "" where there is none. */
export function fromGerund(word: string): string {
  const stem = /^(.+)ing$/.exec(word)?.[1] ?? "";
  return [stem, `${stem}e`, stem.slice(0, -1)].find((verb) => stem !== "" && isVerb(verb)) ?? "";
}

function isOn(objects: ReadonlyMap<string, ReadonlySet<string>>, verb: string, behind: readonly string[]): boolean {
  const nouns = baseOf(verb).flatMap((base) => objects.get(base) ?? []);
  return nouns.some((known) => behind.some((word) => known.has(word) || known.has(singularOf(word))));
}

/** Whether a verb that mostly reads changes something here, by what stands behind it. */
export function isActingOn(verb: string, behind: readonly string[]): boolean {
  return isOn(ACTING_ON, verb, behind);
}

/** Whether a verb that may be a noun commands here, by what stands behind it. */
export function isCommanding(verb: string, behind: readonly string[]): boolean {
  return isOn(COMMANDING, verb, behind);
}

/**
 * Words with the parts of a verb joined: "logs", "out" are "logout"; "re", "index" are "reindex". What stands between two parts is
 * its object, and gets an article: "log", "user", "into" are "login", "the", "user".
 */
export function joinParts(words: readonly string[]): string[] {
  const [first = "", second = "", third = ""] = words;
  if (first === "re" && isVerb(`re${second}`)) return [`re${second}`, ...words.slice(2)];
  const stem = baseOf(first).find((base) => PARTED.has(base));
  if (stem === undefined) return [...words];
  const particle = (word: string): string => (word === "into" ? "in" : word);
  if (PARTICLES.has(second)) return [stem + particle(second), ...words.slice(2)];
  if (stem === "set" || stem === "check") return [...words];
  if (PARTICLES.has(third)) return [stem + particle(third), "the", second, ...words.slice(3)];
  // "Roll the last deployment back"
  const last = words.at(-1) ?? "";
  return words.length <= MAX_PARTED && PARTICLES.has(last)
    ? [stem + particle(last), "the", ...words.slice(1, -1)]
    : [...words];
}
