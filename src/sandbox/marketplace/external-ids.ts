import type { Condition, Filter } from './list-query.ts';
import type { Settings } from './settings.ts';
import { type Fields, invalid } from './wire-values.ts';

const MAX_EXTERNAL_ID = 36;

/** null removes a key; unsent keys stay. @throws Refusal 400 */
export function mergeExternalIds(
  { externalIdKeys: registered }: Pick<Settings, 'externalIdKeys'>,
  before: Fields,
  sent: unknown,
): Fields {
  if (sent === undefined || sent === null) return before;
  if (typeof sent !== 'object') throw invalid('external_ids', 'Expected an object.');
  const values: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(sent)) {
    if (registered && !registered.includes(key)) throw invalid('external_ids', `The key ${key} is not registered.`);
    if (value === null) {
      delete values[key];
    } else if (typeof value !== 'string' || value === '' || value.length > MAX_EXTERNAL_ID) {
      throw invalid('external_ids', `Ensure ${key} is a string of 1 to ${MAX_EXTERNAL_ID} characters.`);
    } else {
      values[key] = value;
    }
  }
  return values;
}

/** @param has builds SQL for an external id with this `key` and `value` */
export function externalIdFilters(has: (tests: string) => string): Readonly<Record<string, Filter>> {
  const mapped = (key: unknown, values: readonly string[] | null): Condition => {
    const keys = key === undefined ? [] : [key];
    const tests = ['1 = 1', ...keys.map(() => 'key = ?')];
    if (values) tests.push(`value IN (${values.map(() => '?').join(', ')})`);
    return { sql: has(tests.join(' AND ')), values: [...keys, ...(values ?? [])] };
  };
  return {
    external_id_key: (key, { external_id_values: values, external_id_unmapped: unmapped }) =>
      values === undefined && unmapped === undefined ? mapped(key, null) : null,
    external_id_values: (values, { external_id_key: key }) => mapped(key, String(values).split(',')),
    external_id_unmapped: (unmapped, { external_id_key: key }) => {
      const { sql, values } = mapped(key, null);
      return { sql: unmapped === true ? `NOT ${sql}` : sql, values };
    },
  };
}
