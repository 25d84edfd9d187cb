// That a call waits, told beyond the page: a mark on the page's icon, and, where a person switched them on in this browser, a sound
// and a notification of the system. Nothing is asked of the browser but by a click.
import { effect, signal } from "@preact/signals";
import { BASE } from "./base.js";
import { msUntil } from "./clock.js";
import { confirmations, pendingConfirmations, type TrackedConfirmation } from "./confirmations.js";
import { navigate } from "./route.js";

/** What can be switched on. */
export type AlertKind = "sound" | "notification";

const KEYS: Readonly<Record<AlertKind, string>> = {
  sound: "agentd.alert-sound",
  notification: "agentd.alert-notification",
};
/** Of the sound: two short tones. */
const TONES_HZ = [660, 880];
const TONE_S = 0.12;

function stored(kind: AlertKind): boolean {
  try {
    return localStorage.getItem(KEYS[kind]) === "on";
  } catch {
    return false;
  }
}

/** What is on in this browser. */
export const alerts = signal<Readonly<Record<AlertKind, boolean>>>({
  sound: stored("sound"),
  notification: stored("notification"),
});

/** Switches one on or off, asking the browser where it must; false when the browser refuses. */
export async function switchAlert(kind: AlertKind, isOn: boolean): Promise<boolean> {
  if (isOn && kind === "notification") {
    if (!("Notification" in globalThis) || (await Notification.requestPermission()) !== "granted") return false;
  }
  if (isOn && kind === "sound") beep();
  try {
    localStorage.setItem(KEYS[kind], isOn ? "on" : "off");
  } catch {
    // It holds until the page is closed.
  }
  alerts.value = { ...alerts.peek(), [kind]: isOn };
  return true;
}

function beep(): void {
  const audio = new AudioContext();
  TONES_HZ.forEach((frequency, at) => {
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0.08 });
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at * TONE_S);
    tone.stop(audio.currentTime + (at + 1) * TONE_S);
    if (at === TONES_HZ.length - 1) tone.onended = () => void audio.close();
  });
}

function notify(one: TrackedConfirmation, text: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification("agentd: a call waits", { body: text, tag: one.id });
    shown.onclick = () => {
      focus();
      shown.close();
      openConfirmation(one);
    };
  } catch {
    // Some browsers of phones have the name and refuse its use.
  }
}

/** Brings the card of a confirmation into view, once it is there, and puts the focus on it, never on one of its buttons. */
export function showConfirmation(id: string): void {
  const look = (left: number) => {
    const card = document.getElementById(`confirmation-${id}`);
    card?.scrollIntoView({ block: "nearest" });
    card?.focus({ preventScroll: true });
    // The view may have to be loaded first.
    if (!card && left > 0) setTimeout(() => look(left - 1), 100);
  };
  look(30);
}

/** Leads to the card of a confirmation. */
export function openConfirmation({ id, session_id }: Pick<TrackedConfirmation, "id" | "session_id">): void {
  navigate(session_id === "" ? { kind: "confirmations" } : { kind: "chat", session: session_id });
  showConfirmation(id);
}

function markIcon(isWaiting: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = `${BASE}/${isWaiting ? "favicon-waiting.svg" : "favicon.svg"}`;
  if (link && link.getAttribute("href") !== href) link.setAttribute("href", href);
}

/** Whether a call began to wait while this page was open: what waited before is on it. */
function isNews({ created_at }: TrackedConfirmation): boolean {
  return -msUntil(created_at) < performance.now();
}

/** Tells of what comes to wait from now on; `textOf` says what it is. The function returned ends it. */
export function followWaiting(textOf: (one: TrackedConfirmation) => string): () => void {
  const known = new Set(confirmations.peek().map(({ id }) => id));
  return effect(() => {
    const pending = pendingConfirmations.value;
    markIcon(pending.length > 0);
    const fresh = pending.filter((one) => !known.has(one.id) && isNews(one));
    for (const { id } of pending) known.add(id);
    if (fresh.length === 0) return;
    if (alerts.peek().sound) beep();
    if (alerts.peek().notification && !document.hasFocus()) for (const one of fresh) notify(one, textOf(one));
  });
}
