import { parseDecimal } from './decimal.ts';

/** A customer as the marketplace shows it. A field that it did not send is `undefined`: unknown, not empty. */
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

/** Two spellings of one licence number have the same key. null: there is no licence number. */
export function licenseKey(text: string | null | undefined): string | null {
  const key = (text ?? '').replaceAll(/\s+/g, '').toUpperCase();
  return key === '' ? null : key;
}

/** Two spellings of one e-mail address have the same key. null: there is no address. */
export function emailKey(text: string | null | undefined): string | null {
  const key = (text ?? '').trim().toLowerCase();
  return key === '' ? null : key;
}

/** How many digits the decimals of a customer have after the point (spec 2, Customer). */
const PLACES: Readonly<Record<string, number>> = { discount_percent: 4, shipping_charge: 2 };

/** Decimals have one spelling for each value: "10" and "10.0000" are the same discount. null for any other value. */
export function sameSpelling(field: string, digits: string | null): string | null {
  const places = PLACES[field];
  const decimal = parseDecimal(digits ?? '');
  if (places === undefined || decimal === null || decimal.decimalPlaces() > places) return null;
  return decimal.toFixed(places);
}
