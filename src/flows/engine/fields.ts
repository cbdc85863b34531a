import { parseDecimal } from '../../domain/decimal.ts';
import { decimalText } from '../../http/json.ts';
import type { Echoes } from '../../store/links.ts';

/** Fields by API name. */
export type WireFields = Readonly<Record<string, unknown>>;

/** Values that people wrote on the marketplace, by field, as JSON. */
export type Replaced = Readonly<Record<string, string>>;

/** Returns the fields whose wanted value the listing does not show. */
export function differingFields(wanted: WireFields, listing: WireFields, echoes: Echoes): string[] {
  return Object.keys(wanted).filter(
    (name) => !sameField(wanted[name], listing[name]) && !isEchoed(name, wanted, listing, echoes),
  );
}

/** Returns whether the field shows what it showed after this very value was written. */
export function isEchoed(name: string, wanted: WireFields, listing: WireFields, echoes: Echoes): boolean {
  const last = echoes[name];
  return last !== undefined && last.sent === text(wanted[name]) && last.echo === text(listing[name]);
}

/** Returns whether all these values were written before. If so, the marketplace's side has changed since. */
export function wereWritten(names: readonly string[], wanted: WireFields, echoes: Echoes): boolean {
  return names.every((name) => echoes[name]?.sent === text(wanted[name]));
}

/** Returns the fields whose text a person wrote on the marketplace. */
export function fieldsWrittenByPeople(names: readonly string[], listing: WireFields, echoes: Echoes): string[] {
  return names.filter((name) => {
    const shown = listing[name];
    return typeof shown === 'string' && shown !== '' && echoes[name]?.echo !== text(shown);
  });
}

/** The echoes of a write: the values sent, and the values shown afterwards. */
export function echoesOf(
  sent: WireFields,
  echo: WireFields,
  before: Echoes,
  { replaced, nowMs }: { readonly replaced: Replaced; readonly nowMs: number } = { replaced: {}, nowMs: 0 },
): Echoes {
  const echoes = { ...before };
  for (const name of Object.keys(sent)) {
    const was = replaced[name];
    const value = text(sent[name]);
    // A new value from the ERP ends the record of what a person wrote.
    const earlier = before[name]?.sent === value ? before[name].replaced : undefined;
    const overwritten = was === undefined ? earlier : { was, atMs: nowMs };
    echoes[name] = {
      sent: value,
      echo: text(echo[name]),
      ...(overwritten === undefined ? {} : { replaced: overwritten }),
    };
  }
  return echoes;
}

/** Figures that orders may move between a write and its answer. */
const MOVING: readonly string[] = ['quantity', 'available_inventory', 'reserved_qty'];

/** Returns the fields that are shown differently than sent, for the first time. */
export function rewrittenFields(sent: WireFields, shown: WireFields, before: Echoes): string[] {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
  return Object.keys(sent).filter((name) => {
    if (MOVING.includes(name) || shown[name] === undefined || (isEmpty(sent[name]) && isEmpty(shown[name])))
      return false;
    return !sameField(sent[name], shown[name]) && !isEchoed(name, sent, shown, before);
  });
}

const BRIEF_LENGTH = 60;

/** A value for display, of limited length. */
export function shortText(value: unknown): string {
  const amount = isObject(value) && 'amount' in value ? decimalText(value['amount']) : null;
  const full = amount ?? text(value);
  const characters = typeof value === 'string' ? value.length : full.length;
  return full.length <= BRIEF_LENGTH ? full : `${full.slice(0, BRIEF_LENGTH)}... (${characters} characters)`;
}

/** Equality as the marketplace defines it: decimals by value, objects by the keys that we set. */
function sameField(wanted: unknown, shown: unknown): boolean {
  // Texts are compared as texts: SKU 0010 is not SKU 10.
  if (typeof wanted === 'string' && typeof shown === 'string') return wanted === shown;
  const [a, b] = [decimalOf(wanted), decimalOf(shown)];
  if (a !== null && b !== null) return a.equals(b);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(shown) && wanted.length === shown.length && wanted.every((item, i) => sameField(item, shown[i]))
    );
  }
  // A reference by id may be shown as an object, or the other way round.
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

/** As JSON. */
export function text(value: unknown): string {
  return value === undefined ? 'not shown' : JSON.stringify(value);
}

/** Field names with their values, for display. */
export function showFields(names: readonly string[], fields: WireFields): string {
  return names.map((name) => `${name} ${text(fields[name])}`).join(', ');
}
