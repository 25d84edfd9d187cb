// The one application that a prompt may use, where it names one: its tools are all that there are for the turn.
// Source: docs/reference.md, "Running a prompt".
import { AppError } from "../domain/error.js";
import type { ApplicationSet } from "../tools/applications.js";
import { type Catalogue, createCatalogue } from "../tools/catalogue.js";

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
export function checkApplication(set: ApplicationSet, name: string | undefined): void {
  if (name === undefined || set.find(name)) return;
  const names = set.applications.map((one) => JSON.stringify(one.name)).join(", ");
  const known = names === "" ? "No application is connected." : `Known: ${names}.`;
  throw new AppError("invalid_body", `application: there is no application ${JSON.stringify(name)}. ${known}`);
}

/** The applications of a turn; all of them where its prompt names none. */
export function chosenApplications(set: ApplicationSet, name: string | undefined): ApplicationSet {
  if (name === undefined || set.applications.length < 2) return set;
  const known = made.get(set) ?? new Map<string, ApplicationSet>();
  made.set(set, known);
  const chosen = known.get(name) ?? narrowed(set, name);
  known.set(name, chosen);
  return chosen;
}
