// Applications, where there are several: which one a call goes to, which one to look at, and what is wrong with one.
import { UNNAMED } from "../../src/domain/application-name.js";
import { applicationName, applications, isAmbiguous, unnamedTitle } from "../state/daemon.js";

/** The application of a call; nothing where there is only one, or for one without a name, which the daemon's own tools share. */
export function ApplicationTag({ name = "" }: { name: string | undefined }) {
  return name !== "" && isAmbiguous(name) ? <span class="tag application">{name}</span> : null;
}

/** A choice among the applications, "" for all and UNNAMED for the one without a name; nothing where there is only one. */
export function ApplicationFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  if (applications.value.length < 2) return null;
  return (
    <label class="filter-application">
      <span>Application</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {applications.value.map(({ name }) => (
          <option key={name} value={name || UNNAMED}>
            {name || unnamedTitle() || applicationName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What is wrong with the applications that cannot be used. */
export function BrokenApplications() {
  return applications.value.map(({ name, error }) =>
    error === undefined ? null : (
      <p key={name} class="failure">
        {`Trouble with ${applicationName(name)}: ${error}`}
      </p>
    ),
  );
}
