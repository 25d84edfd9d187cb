// What a prompt may use: the tools of the application that it names, all of them where it names none, or no tools.
// Source: docs/reference.md, "Running a prompt".
import type { PromptRequest } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import type { ApplicationSet, Applications } from "../tools/applications.js";
import { type Catalogue, createCatalogue } from "../tools/catalogue.js";

/** For a turn that calls none. */
const NO_TOOLS = createCatalogue({ actions: [] });

/** Made once for each set of documents and name: a catalogue has an index of its tools. */
const made = new WeakMap<ApplicationSet, Map<string, ApplicationSet>>();

function narrowed(set: ApplicationSet, name: string): ApplicationSet {
  const of = ({ actions, glossary }: Catalogue): Catalogue =>
    createCatalogue({ actions: actions.filter(({ application }) => application === name) }, glossary);
  const applications = set.applications.filter((one) => one.name === name);
  const catalogue = of(set.catalogue);
  return { ...set, applications, catalogue, offered: set.offered === set.catalogue ? catalogue : of(set.offered) };
}

/** Throws AppError invalid_body for an application that is not there. */
export function checkApplication(applications: Pick<Applications, "current">, name: string | undefined): void {
  if (name === undefined) return;
  const set = applications.current();
  if (set.find(name)) return;
  const names = set.applications.map((one) => JSON.stringify(one.name)).join(", ");
  const known = names === "" ? "No application is connected." : `Known: ${names}.`;
  throw new AppError("invalid_body", `application: there is no application ${JSON.stringify(name)}. ${known}`);
}

function chosenOf(set: ApplicationSet, name: string | undefined): ApplicationSet {
  if (name === undefined || set.applications.length < 2) return set;
  const known = made.get(set) ?? new Map<string, ApplicationSet>();
  made.set(set, known);
  const chosen = known.get(name) ?? narrowed(set, name);
  known.set(name, chosen);
  return chosen;
}

/** The applications of a turn. */
export function chosenApplications(
  set: ApplicationSet,
  { application, tools }: Pick<PromptRequest, "application" | "tools">,
): ApplicationSet {
  const chosen = chosenOf(set, application);
  // A model that calls one all the same finds that there is none of that name.
  return tools === "none" ? { ...chosen, catalogue: NO_TOOLS, offered: NO_TOOLS } : chosen;
}
