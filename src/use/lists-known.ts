import { areFirstLinked } from '../flows/engine/first-links.ts';
import { lastRead as lastReadAt } from '../flows/list-ages.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { LISTINGS_KNOWN, lastRead } from '../shadow/last-read.ts';
import type { MappingKind } from '../store/links.ts';

/** Which claims about missing entities the records can carry: before a list was read to its end, nothing is missing from it. */
export interface ListsKnown {
  /** The marketplace's list was read to its end. */
  readonly marketplace: boolean;
  readonly erp: boolean;
  /** Both lists were compared, so an entity without a link belongs to nothing on the other side. */
  readonly links: boolean;
}

type Records = Pick<AccountRecords, 'account' | 'store'>;

/** The lists that show an entity, one of each side. */
export const LISTS_OF: Readonly<Record<MappingKind, readonly [marketplace: string, erp: string]>> = {
  product: ['products', 'erp-products'],
  order: ['orders', 'erp-orders'],
  customer: ['customers', 'erp-customers'],
  payment: ['payments', 'erp-payments'],
  batch: ['batches', 'erp-lots'],
};

export async function listsKnown(records: Records, kind: MappingKind): Promise<ListsKnown> {
  const marketplace = await isKnownThere(records, kind);
  const erp = (await lastReadAt(records.store, records.account, LISTS_OF[kind][1])) !== null;
  const links = kind === 'product' ? await areFirstLinked(records) : marketplace && erp;
  return { marketplace, erp, links };
}

/** The cursors of the marketplace's lists move page by page, so they do not tell it. */
async function isKnownThere(records: Records, kind: MappingKind): Promise<boolean> {
  if (kind === 'product') return (await records.store.facts.get(records.account, LISTINGS_KNOWN)) !== null;
  const lists = { order: 'orders', customer: 'customers', payment: 'payments', batch: 'batches' } as const;
  return (await lastRead(records, lists[kind])) !== null;
}
