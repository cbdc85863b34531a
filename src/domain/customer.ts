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

/** Two spellings of one licence number have the same key. null where there is none. */
export function licenseKey(text: string | null | undefined): string | null {
  const key = (text ?? '').replaceAll(/\s+/g, '').toUpperCase();
  return key === '' ? null : key;
}

/** Two spellings of one e-mail address have the same key. null where there is none. */
export function emailKey(text: string | null | undefined): string | null {
  const key = (text ?? '').trim().toLowerCase();
  return key === '' ? null : key;
}
