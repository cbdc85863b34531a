import { parseJson, withTexts } from '../../http/json.ts';
import type { Shown } from '../jobs/dossier.ts';

/**
 * The value that was written to a field, as people read it.
 * @param sent lossless JSON in the marketplace's shape; a text that is no JSON stands as it is
 */
export function writtenValue(sent: string): Shown[string] {
  const value = parsed(sent);
  if (typeof value === 'boolean' || value === null) return value;
  return Array.isArray(value) ? value.map(plain) : plain(value);
}

function parsed(text: string): unknown {
  try {
    return withTexts(parseJson(text));
  } catch {
    return text;
  }
}

/** `12.50 USD`; `name: House, country: NL`. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { amount, currency, ...rest } = value as Readonly<Record<string, unknown>>;
  if (amount === undefined) return fields(value);
  const money = currency === undefined ? plain(amount) : `${plain(amount)} ${plain(currency)}`;
  return Object.keys(rest).length === 0 ? money : `${money}, ${fields(rest)}`;
}

function fields(of: object): string {
  return Object.entries(of)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${plain(value)}`)
    .join(', ');
}
