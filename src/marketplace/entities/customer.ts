import { type MarketplaceCustomer, sameSpelling } from '../../domain/customer.ts';
import { decimalText } from '../../http/json.ts';
import type { Answer } from '../request.ts';
import { field, readText } from './amounts.ts';

export type CustomerRow = Answer<'customers.list'>;

/** Spec 2, Customer. */
export function readCustomer(row: CustomerRow, externalIdKey: string): MarketplaceCustomer {
  return {
    id: row.id,
    name: readText(row.name),
    modified: row.modified_date ?? null,
    archived: row.is_archived ?? undefined,
    externalId: readText(field(row.external_ids, externalIdKey)),
    licenseNumber: readText(row.license_number),
    email: readText(row.email),
  };
}

const ADDRESS_FIELDS = ['address', 'unit_number', 'city', 'county', 'state', 'zipcode'] as const;

/**
 * The synchronised fields, by their names in requests. Missing fields are left out.
 * @param more names of further fields
 */
export function readCustomerFields(
  row: CustomerRow,
  externalIdKey: string,
  more: readonly string[],
): Record<string, unknown> {
  const { name, email, phone, license_number, status, external_ids: ids } = row;
  const shown = {
    ...Object.fromEntries(more.map((one) => [one, spelled(one, furtherField(row, one))])),
    name,
    email,
    phone,
    license_number,
    status_id: status === undefined ? row['status_id'] : (status?.id ?? null),
    external_ids: ids && { [externalIdKey]: ids[externalIdKey] ?? null },
    corporate_address: readAddress(row.corporate_address),
    delivery_address: readAddress(row.delivery_address),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/** Decimals become text, because fields are compared as text. */
function spelled(name: string, value: unknown): unknown {
  return sameSpelling(name, decimalText(value)) ?? value;
}

/** Spec 2, Customer: a zone is displayed as an object and written by its id. */
function furtherField(row: CustomerRow, name: string): unknown {
  if (name !== 'service_zone_id' || row['service_zone'] === undefined) return row[name];
  return row['service_zone'] === null ? null : field(row['service_zone'], 'id');
}

function readAddress(address: CustomerRow['corporate_address']) {
  if (address === undefined || address === null) return address;
  const known = ADDRESS_FIELDS.map((name) => [name, address[name]] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}
