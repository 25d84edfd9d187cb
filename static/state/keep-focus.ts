// The keyboard is never left nowhere. When what has the focus is removed or can be used no more, the focus goes to the field that came in
// its place, or else to the nearest part of the page around it: never to a button, which the next key would press. A key typed at nothing
// would be a key of the page.

const FIELDS = "input:not([type=hidden]), select, textarea";

/** What had the focus last, and what it stood in, from the inside out. */
let last: Element | null = null;
let around: Element[] = [];
/** What was disabled while it had the focus, and where the focus waits for it. */
let waiting: { element: HTMLElement; at: HTMLElement } | undefined;

function note({ target }: FocusEvent): void {
  if (!(target instanceof Element)) return;
  last = target;
  around = [];
  for (let one = target.parentElement; one !== null && one !== document.body; one = one.parentElement) around.push(one);
}

/** A press elsewhere leaves it on purpose. */
function forget({ target }: PointerEvent): void {
  if (target instanceof Node && !last?.contains(target)) last = null;
}

/** The first field among what was added inside a part of the page. */
function fieldAdded(records: readonly MutationRecord[], home: Element): HTMLElement | undefined {
  const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((one) => one instanceof HTMLElement);
  const own = added.filter((one) => one.isConnected && home.contains(one));
  return (
    own
      .map((one) => (one.matches(FIELDS) ? one : one.querySelector<HTMLElement>(FIELDS)))
      .find((one) => one !== null) ?? undefined
  );
}

/** Puts the focus on a part of the page, which can take it until it leaves. */
function focusPart(part: HTMLElement): void {
  const isFocusable = part.hasAttribute("tabindex");
  if (!isFocusable) part.tabIndex = -1;
  part.dataset["kept"] = "";
  const leave = () => {
    delete part.dataset["kept"];
    if (!isFocusable) part.removeAttribute("tabindex");
  };
  part.addEventListener("blur", leave, { once: true });
  part.focus({ preventScroll: true });
}

/** Whether nothing has the focus, or only a part of the page that keeps it for what is gone: something better may take it. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return (activeElement ?? body) === body || activeElement?.hasAttribute("data-kept") === true;
}

function keep(records: readonly MutationRecord[]): void {
  const { activeElement, body } = document;
  if (waiting && activeElement === waiting.at && waiting.element.isConnected && !waiting.element.matches(":disabled")) {
    waiting.element.focus({ preventScroll: true });
    waiting = undefined;
    return;
  }
  const lost = last;
  if (!(lost instanceof HTMLElement)) return;
  const isDisabled = lost.matches(":disabled");
  if ((lost.isConnected && !isDisabled) || ![body, lost, null].includes(activeElement as HTMLElement | null)) return;
  const home = around.find((one) => one.isConnected && one.checkVisibility() && one.closest("[inert]") === null);
  if (!(home instanceof HTMLElement)) return;
  // Another page begins with its title, not with a field.
  const field = isDisabled || home.matches("main, .frame") ? undefined : fieldAdded(records, home);
  if (field) field.focus();
  else focusPart(home);
  waiting = isDisabled ? { element: lost, at: home } : undefined;
}

/** Keeps the focus on the page until the function it returns is called. */
export function keepFocus(): () => void {
  const observer = new MutationObserver(keep);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  addEventListener("focusin", note);
  addEventListener("pointerdown", forget);
  return () => {
    observer.disconnect();
    removeEventListener("focusin", note);
    removeEventListener("pointerdown", forget);
  };
}
