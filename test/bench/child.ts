// Entry of a benchmark's helper process: `child.ts model | target | bare <model> <target> | floor <model> <target>`. Prints `ready
// <address>`.
import { serveBare, serveFloor } from "./by-hand.js";
import { serveModel, serveTarget } from "./servers.js";

const [role, model = "", target = ""] = process.argv.slice(2);
if (role === "model") serveModel();
else if (role === "target") serveTarget();
else if (role === "floor") await serveFloor(model, target);
else serveBare(model, target);
