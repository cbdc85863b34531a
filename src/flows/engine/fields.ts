import { parseDecimal } from '../../domain/decimal.ts';
import { decimalText } from '../../http/json.ts';
import type { Echoes } from '../../store/links.ts';

/** Fields of a listing as they go over the wire, by their name there. */
export type WireFields = Readonly<Record<string, unknown>>;

/** The fields whose wanted value the listing does not show. */
export function differingFields(wanted: WireFields, listing: WireFields, echoes: Echoes): string[] {
  return Object.keys(wanted).filter(
    (name) => !sameField(wanted[name], listing[name]) && !isEchoed(name, wanted, listing, echoes),
  );
}

function isEchoed(name: string, wanted: WireFields, listing: WireFields, echoes: Echoes): boolean {
  const last = echoes[name];
  return last !== undefined && last.sent === text(wanted[name]) && last.echo === text(listing[name]);
}

/** Every one of these wanted values was written before: the marketplace's side has changed since. */
export function wereWritten(names: readonly string[], wanted: WireFields, echoes: Echoes): boolean {
  return names.every((name) => echoes[name]?.sent === text(wanted[name]));
}

/** The names of the fields whose text a person wrote on the marketplace, before or after a write of this program. */
export function personsTexts(names: readonly string[], listing: WireFields, echoes: Echoes): string[] {
  return names.filter((name) => {
    const shown = listing[name];
    return typeof shown === 'string' && shown !== '' && echoes[name]?.echo !== text(shown);
  });
}

/** The echoes of a write: the sent values, and the values that the listing shows after it. */
export function echoesOf(sent: WireFields, echo: WireFields, before: Echoes): Echoes {
  const echoes = { ...before };
  for (const name of Object.keys(sent)) echoes[name] = { sent: text(sent[name]), echo: text(echo[name]) };
  return echoes;
}

/** Equality as the marketplace means it: decimals by value, objects by the keys that we set. */
function sameField(wanted: unknown, shown: unknown): boolean {
  // Two texts are compared as texts, not as numbers: SKU 0010 is not SKU 10.
  if (typeof wanted === 'string' && typeof shown === 'string') return wanted === shown;
  const [a, b] = [decimalOf(wanted), decimalOf(shown)];
  if (a !== null && b !== null) return a.equals(b);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(shown) && wanted.length === shown.length && wanted.every((item, i) => sameField(item, shown[i]))
    );
  }
  // A reference by id may be shown as an object with more, or the other way round.
  if (a !== null && isObject(shown) && 'id' in shown) return sameField(wanted, shown['id']);
  if (b !== null && isObject(wanted) && Object.keys(wanted).join() === 'id') return sameField(wanted['id'], shown);
  if (isObject(wanted))
    return isObject(shown) && Object.keys(wanted).every((key) => sameField(wanted[key], shown[key]));
  return wanted === shown;
}

function decimalOf(value: unknown) {
  const digits = decimalText(value);
  return digits === null ? null : parseDecimal(digits);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && decimalText(value) === null;
}

function text(value: unknown): string {
  return value === undefined ? 'not shown' : JSON.stringify(value);
}

/** For a person: the fields by name with their values. */
export function showFields(names: readonly string[], fields: WireFields): string {
  return names.map((name) => `${name} ${text(fields[name])}`).join(', ');
}
