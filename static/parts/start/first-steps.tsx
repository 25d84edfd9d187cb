// What an empty conversation displays while no application is connected: the ways to a first one.
import { ConnectApplication } from "../connect-application.js";
import { Markdown } from "../markdown.js";

/** A form for one by its address, and the ways of the command line. */
export function FirstSteps({ steps }: { steps: readonly string[] }) {
  return (
    <>
      <h2>No application is connected yet</h2>
      <ConnectApplication />
      <div class="first-steps">
        <p class="faint">Or on the command line, where databases and MCP servers are connected, too:</p>
        <Markdown text={steps.map((step, i) => `${i + 1}. ${step}`).join("\n")} />
      </div>
    </>
  );
}
