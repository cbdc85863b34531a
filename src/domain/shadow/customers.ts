import { emailKey, licenseKey, type MarketplaceCustomer } from '../customer.ts';
import type { Due } from './row.ts';

export interface CustomerSigns {
  readonly marketplaceId: number | null;
  readonly erpId: string | null;
  readonly licenseKey: string | null;
  readonly emailKey: string | null;
}

export interface CustomerRow extends Pick<CustomerSigns, 'licenseKey' | 'emailKey'> {
  readonly id: number;
  readonly name: string;
  readonly externalId: string | null;
  readonly archived: boolean;
  /** The synchronized fields by their API names, as JSON. */
  readonly content: string;
  readonly modified: string | null;
  readonly seenAtMs: number;
}

export interface ErpCustomerRow extends Omit<CustomerSigns, 'erpId'> {
  readonly id: string;
  readonly name: string;
  /** The ERP says that it is inactive or deleted. */
  readonly gone: boolean;
  /** The full customer from the connector, as JSON. */
  readonly content: string;
  readonly changedAt: string | null;
  readonly seenAtMs: number;
}

export function isDeleted({ content }: Pick<ErpCustomerRow, 'content'>): boolean {
  return (JSON.parse(content) as SeenErpCustomer).deleted === true;
}

export interface ReadCustomer<Row> {
  /** null: the stored row stays. */
  readonly row: Row | null;
  /** Why the customer becomes work, and its old and new signs. null: it does not. */
  readonly news: { readonly why: string; readonly signs: readonly CustomerSigns[] } | null;
}

export function withCustomer(
  before: CustomerRow | undefined,
  customer: MarketplaceCustomer,
  { content, mended, nowMs }: { readonly content: string; readonly mended: boolean; readonly nowMs: number },
): ReadCustomer<CustomerRow> {
  const row: CustomerRow = {
    id: customer.id,
    name: customer.name ?? '',
    externalId: customer.externalId,
    licenseKey: licenseKey(customer.licenseNumber),
    emailKey: emailKey(customer.email),
    archived: customer.archived ?? before?.archived ?? false,
    content,
    modified: customer.modified ?? before?.modified ?? null,
    seenAtMs: nowMs,
  };
  const isSame = !mended && before?.content === content && before.archived === row.archived;
  if (isSame) return { row: before.modified === row.modified ? null : row, news: null };
  const signsOf = ({ id, externalId, ...keys }: CustomerRow) => ({ ...keys, marketplaceId: id, erpId: externalId });
  return { row, news: newsOf(before, row, 'on the marketplace', signsOf) };
}

/** The customer fields that every connector returns. An omitted field is unknown. */
export interface SeenErpCustomer {
  readonly id: string;
  readonly name: string;
  /** The marketplace customer's id that the ERP stores. */
  readonly marketplaceId: number | null;
  readonly licenseNumber?: string;
  readonly email?: string;
  /** False if blocked, inactive or deleted. */
  readonly active?: boolean;
  /** Deleted in the ERP, not only blocked. */
  readonly deleted?: true;
  readonly changedAt: string | null;
}

export function withErpCustomer(
  before: ErpCustomerRow | undefined,
  customer: SeenErpCustomer,
  { mended, nowMs }: { readonly mended: boolean; readonly nowMs: number },
): ReadCustomer<ErpCustomerRow> {
  const row: ErpCustomerRow = {
    id: customer.id,
    name: customer.name,
    marketplaceId: customer.marketplaceId,
    licenseKey: licenseKey(customer.licenseNumber),
    emailKey: emailKey(customer.email),
    gone: customer.active === false,
    content: JSON.stringify(customer),
    changedAt: customer.changedAt,
    seenAtMs: nowMs,
  };
  if (!mended && before?.content === row.content) return { row: null, news: null };
  if (!mended && before !== undefined && contentWithoutTime(before) === contentWithoutTime(row))
    return { row, news: null };
  return { row, news: newsOf(before, row, 'in the ERP', (state) => ({ ...state, erpId: state.id })) };
}

/** All fields of the ERP's customer except the time of the change. */
function contentWithoutTime({ content }: ErpCustomerRow): string {
  const { changedAt: _at, ...told } = JSON.parse(content) as SeenErpCustomer;
  return JSON.stringify(told);
}

function newsOf<Row>(before: Row | undefined, row: Row, where: string, signsOf: (row: Row) => CustomerSigns) {
  if (before === undefined) return { why: `customer seen for the first time ${where}`, signs: [signsOf(row)] };
  return { why: `customer changed ${where}`, signs: [signsOf(before), signsOf(row)] };
}

/** The work for a new or changed marketplace customer, by the state of its link. */
export function dueOfCustomer(
  id: string,
  link: { readonly erpId: string | null; readonly state: string } | undefined,
  why: string,
): Due[] {
  const due: Due[] = [];
  if (link?.erpId != null) due.push({ flow: 'customer-out', key: link.erpId, why });
  if (link?.state !== 'linked') due.push({ flow: 'customer-in', key: id, why });
  return due;
}

/** The work for unlinked customers that share a sign with a changed one, because their match may have changed. */
export function dueOfAlike(
  { onMarketplace, inErp }: Readonly<Record<'onMarketplace' | 'inErp', readonly Alike[]>>,
  why: string,
): Due[] {
  const dueIn = (flow: string, customers: readonly Alike[]) =>
    customers.filter(({ linkedTo }) => linkedTo === null).map(({ id }) => ({ flow, key: String(id), why }));
  return [...dueIn('customer-in', onMarketplace), ...dueIn('customer-out', inErp)];
}

interface Alike {
  readonly id: number | string;
  readonly linkedTo: string | null;
}
