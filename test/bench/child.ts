// Entry of a benchmark's helper process: `child.ts model | target | bare <model> <target> | floor <model> <target>
// [folder]`. Prints `ready <address>`; `probe <url>` prints milliseconds (probe.ts).
import { serveBare } from "./by-hand.js";
import { serveModel, serveTarget } from "./servers.js";

const [role, model = "", target = "", folder] = process.argv.slice(2);
if (role === "model") serveModel();
else if (role === "target") serveTarget();
// Loaded when it is asked for: the bare server would pay for it at its start.
else if (role === "floor") await (await import("./floor.js")).serveFloor(model, target, folder);
else if (role === "probe") await (await import("./probe.js")).probe(model);
else serveBare(model, target);
