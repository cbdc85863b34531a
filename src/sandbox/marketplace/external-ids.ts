import { invalid } from './refusal.ts';
import type { Settings } from './settings.ts';
import type { Fields } from './wire-values.ts';

const MAX_EXTERNAL_ID = 36;

/** A key -> value map; null takes a key away. Keys that are not sent stay. @throws Refusal 400 */
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
