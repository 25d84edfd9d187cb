// Loaded before a program (`node --import`): its only clock, Date, is off by the first of CLOCK_OFFSETS_MS, a list separated by
// commas; SIGUSR2 makes it jump to the next. Plain JavaScript, because the program runs without the loader for TypeScript.
const RealDate = Date;
const offsets = (process.env["CLOCK_OFFSETS_MS"] ?? "0").split(",").map(Number);
let at = 0;
const now = () => RealDate.now() + (offsets[at % offsets.length] ?? 0);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => (args.length > 0 ? Reflect.construct(target, args) : new target(now())),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});

if (offsets.length > 1) process.on("SIGUSR2", () => at++);
