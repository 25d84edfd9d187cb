// What tells of a call that comes to wait, in this browser: switches on the pages of approvals and of settings.
import { useState } from "preact/hooks";
import { type AlertKind, alerts, switchAlert } from "../state/alerts.js";

const ALERTS: Readonly<Record<AlertKind, string>> = {
  sound: "Sound",
  notification: "Notifications of the system",
};

/** The switches. */
export function AlertSwitches() {
  const [refused, setRefused] = useState(false);
  const toggle = async (kind: AlertKind, isOn: boolean) => setRefused(!(await switchAlert(kind, isOn)));
  return (
    <>
      {(Object.keys(ALERTS) as AlertKind[]).map((kind) => (
        <p key={kind}>
          <label>
            <input
              type="checkbox"
              checked={alerts.value[kind]}
              onChange={(event) => void toggle(kind, event.currentTarget.checked)}
            />{" "}
            {ALERTS[kind]}
          </label>
        </p>
      ))}
      {refused && <p class="error-text">This browser does not allow it; its settings for this page say so.</p>}
    </>
  );
}
