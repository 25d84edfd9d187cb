// The settings as a list: every row with its value, also those of the entries of `applications`.
import { APPLICATION_SETTINGS } from "./application-table.js";
import { type AnySetting, rowsOf } from "./setting.js";
import type { Settings } from "./settings.js";
import { SETTINGS } from "./table.js";

/** One setting and what it is. */
interface SettingValue {
  /** Its name in config.json. */
  name: string;
  row: AnySetting;
  value: unknown;
}

/** What stands under the path of a property. */
export const settingAt = (values: unknown, path: readonly string[]): unknown =>
  path.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);

/** Every setting in the order of the table, the applications in theirs. */
export function settingValues(settings: Settings): SettingValue[] {
  return rowsOf(SETTINGS).flatMap(({ path, row }) => {
    if (row !== SETTINGS.applications) return [{ name: row.name, row, value: settingAt(settings, path) }];
    return [...settings.applications].flatMap(([name, application]) =>
      rowsOf(APPLICATION_SETTINGS).map((inner) => ({
        name: `${row.name}.${name}.${inner.row.name}`,
        row: inner.row,
        value: settingAt(application, inner.path),
      })),
    );
  });
}
