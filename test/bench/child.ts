// Entry of a benchmark's helper process: `child.ts model | target | bare <model> <target>`. Prints `ready <address>`.
import { serveBare, serveModel, serveTarget } from "./servers.js";

const [role, model = "", target = ""] = process.argv.slice(2);
if (role === "model") serveModel();
else if (role === "target") serveTarget();
else serveBare(model, target);
