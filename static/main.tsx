// Puts the page on the screen.
import { render } from "preact";
import { App } from "./app.js";
import { applyTheme } from "./state/theme.js";

applyTheme();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
