// Puts the page on the screen, over the shell that index.html begins with.
import { render } from "preact";
import { App } from "./app.js";
import { followRoute } from "./state/conversations.js";
import { applyTheme } from "./state/theme.js";
import { takeTypedAhead } from "./state/typed-ahead.js";

applyTheme();
followRoute();
const root = document.getElementById("app");
if (root !== null) {
  takeTypedAhead(root);
  render(<App />, root);
}
