import type { z } from 'zod';
import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { sameSpelling } from '../../../domain/customer.ts';
import { parseDecimal } from '../../../domain/decimal.ts';
import { beyondLimits, CUSTOMER_LIMITS } from '../../../domain/limits.ts';
import type { ErpAddress, ErpCustomer } from '../../../erp/connector.ts';
import { decimalText } from '../../../http/json.ts';
import { customerOperations } from '../../../marketplace/operations/customers.ts';
import type { WireFields } from '../../engine/fields.ts';

export interface WantedCustomer {
  /** By API name, with full addresses under `corporate_address` and `delivery_address`. */
  readonly fields: WireFields;
  /** ERP values that the marketplace does not accept. */
  readonly problems: readonly Cause[];
}

interface WantedRules {
  readonly externalIdKey: string;
  readonly addresses: boolean;
  readonly statuses: readonly { readonly erpStatus: string; readonly state: string }[];
  /** Ids of the marketplace's customer statuses by name. null: not read yet. */
  readonly statusIds: ReadonlyMap<string, number> | null;
  readonly made: BuiltFields;
  readonly leftOut: readonly string[];
}

export interface BuiltFields {
  readonly fields: WireFields;
  readonly problems: readonly Cause[];
}

export const ADDRESS_KINDS = ['corporate', 'delivery'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** Operations that write an address: `set` replaces it, `patch` changes the fields sent. */
export const ADDRESS_WRITES = {
  set: { corporate: 'customers.set-corporate-address', delivery: 'customers.set-delivery-address' },
  patch: { corporate: 'customers.patch-corporate-address', delivery: 'customers.patch-delivery-address' },
} as const;

/** A field that the ERP does not send is not written. An empty one is emptied. */
export function wantedCustomer(erp: ErpCustomer, rules: WantedRules): WantedCustomer {
  const problems: Cause[] = [...rules.made.problems];
  const status = wantedStatus(erp.status, rules);
  if (typeof status === 'object') problems.push(status);
  const wanted: WireFields = {
    name: erp.name,
    email: emptyAsNull(erp.email),
    phone: emptyAsNull(erp.phone),
    // The marketplace cannot remove a licence number.
    license_number: erp.licenseNumber || undefined,
    status_id: typeof status === 'number' ? status : undefined,
    external_ids: { [rules.externalIdKey]: erp.id },
    ...(rules.addresses ? wantedAddresses(erp) : {}),
    ...rules.made.fields,
  };
  const fields: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(wanted)) {
    if (rules.leftOut.includes(name)) continue;
    const value = sameSpelling(name, decimalText(written)) ?? written;
    const problem = value === undefined ? null : invalidRowOf(name, value);
    if (problem !== null) problems.push(problem);
    else if (value !== undefined) fields[name] = value;
  }
  return { fields, problems };
}

function emptyAsNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** Returns the status id to write, undefined to write none, or the problem. */
function wantedStatus(erpStatus: string | undefined, { statuses, statusIds }: WantedRules): number | Cause | undefined {
  const mapped = statuses.find((one) => one.erpStatus.toLowerCase() === erpStatus?.toLowerCase());
  if (mapped === undefined || statusIds === null) return undefined;
  const known = statusIds.get(mapped.state.toLowerCase());
  return known ?? cause('customer-status-unknown', { status: mapped.state });
}

function wantedAddresses({ addresses }: ErpCustomer): WireFields {
  return {
    corporate_address: wantedAddress(addresses?.corporate),
    delivery_address: wantedAddress(addresses?.delivery),
  };
}

/** An ERP sends missing values as empty text. Required fields treat that as missing. */
function wantedAddress(erp: ErpAddress | undefined): WireFields | undefined {
  if (erp === undefined) return undefined;
  const { address, city, state, zipcode, unitNumber, county } = erp;
  const demanded = Object.entries({ address, city, state, zipcode }).filter(([, value]) => (value ?? '') !== '');
  if (demanded.length === 0) return undefined;
  const free = Object.entries({ unit_number: unitNumber, county }).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...demanded, ...free]);
}

const BODY = customerOperations['customers.patch'].body;
const ADDRESS_BODY = customerOperations['customers.patch-delivery-address'].body;

function invalidRowOf(name: string, value: unknown): Cause | null {
  const isAddress = name.endsWith('_address');
  const problem = isAddress ? firstIssue(ADDRESS_BODY, value) : firstIssue(BODY, { [name]: value });
  if (name === 'discount_percent') {
    const unfit = beyondLimits(CUSTOMER_LIMITS, { discountPercent: parseDecimal(decimalText(value) ?? '') });
    if (unfit !== null) return unfit;
  }
  const shown = isAddress ? null : JSON.stringify(value);
  return problem === null ? null : cause('customer-field', { field: name.replaceAll('_', ' '), value: shown, problem });
}

function firstIssue(schema: z.ZodType, value: unknown): string | null {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue === undefined ? null : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
