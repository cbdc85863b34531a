import { parseDecimal } from './decimal.ts';

/** `undefined`: the field was not sent, so it is unknown, not empty. */
export interface MarketplaceCustomer {
  readonly id: number;
  readonly name: string | null;
  readonly modified: string | null;
  readonly archived: boolean | undefined;
  /** The value under the account's `external_id_key`. */
  readonly externalId: string | null;
  readonly licenseNumber: string | null;
  readonly email: string | null;
}

/** Normalizes for comparison. */
export function licenseKey(text: string | null | undefined): string | null {
  const key = (text ?? '').replaceAll(/\s+/g, '').toUpperCase();
  return key === '' ? null : key;
}

/** Normalizes for comparison. */
export function emailKey(text: string | null | undefined): string | null {
  const key = (text ?? '').trim().toLowerCase();
  return key === '' ? null : key;
}

/** Fraction digits of a customer's decimals (spec 2, Customer). */
const PLACES: ReadonlyMap<string, number> = new Map([
  ['discount_percent', 4],
  ['shipping_charge', 2],
]);

/** Normalizes a decimal: "10" and "10.0000" are the same discount. null: not a decimal of this field. */
export function sameSpelling(field: string, digits: string | null): string | null {
  const places = PLACES.get(field);
  const decimal = parseDecimal(digits ?? '');
  if (places === undefined || decimal === null || decimal.decimalPlaces() > places) return null;
  return decimal.toFixed(places);
}
