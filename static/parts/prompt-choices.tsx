// Which model answers and which application is used, as two lists beside the modes; each only where there is more than one.
import { useEffect } from "preact/hooks";
import { applicationName, applications, config, sessions, unnamedTitle } from "../state/daemon.js";
import { choiceOf, choose, loadProviders, offeredProviders } from "../state/prompt-choice.js";

/** Between the names of a provider and a model in the value of an option. */
const SEPARATOR = "\n";
/** For all applications: no name has a space. */
const ALL = " ";

function ModelChoice({ session }: { session: string }) {
  const offers = offeredProviders.value.filter(({ error }) => error === undefined);
  const options = offers.flatMap(({ name, models }) => models.map((model) => ({ provider: name, model })));
  if (options.length < 2) return null;
  const used = sessions.value.find((one) => one.session_id === session);
  const { default_provider = "", model = "" } = config.value ?? {};
  const present = { provider: default_provider, model, ...(used && { provider: used.provider, model: used.model }) };
  const { application, ...choice } = choiceOf(session);
  const value = { ...present, ...choice };
  return (
    <select
      class="choice"
      aria-label="Model"
      value={value.provider + SEPARATOR + value.model}
      onChange={(event) => {
        const [provider = "", name = ""] = event.currentTarget.value.split(SEPARATOR);
        choose(session, { ...(application === undefined ? {} : { application }), provider, model: name });
      }}
    >
      {options.map((option) => (
        <option key={option.provider + SEPARATOR + option.model} value={option.provider + SEPARATOR + option.model}>
          {offers.length > 1 ? `${option.provider} · ${option.model}` : option.model}
        </option>
      ))}
    </select>
  );
}

function ApplicationChoice({ session }: { session: string }) {
  if (applications.value.length < 2) return null;
  const { application, ...choice } = choiceOf(session);
  return (
    <select
      class="choice"
      aria-label="Application"
      value={application ?? ALL}
      onChange={({ currentTarget: { value } }) =>
        choose(session, value === ALL ? choice : { ...choice, application: value })
      }
    >
      <option value={ALL}>All applications</option>
      {applications.value.map(({ name }) => (
        <option key={name} value={name}>
          {name || unnamedTitle() || applicationName(name)}
        </option>
      ))}
    </select>
  );
}

/** The choices of a conversation. */
export function PromptChoices({ session }: { session: string }) {
  useEffect(() => void loadProviders(), []);
  return (
    <>
      <ApplicationChoice session={session} />
      <ModelChoice session={session} />
    </>
  );
}
