import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Cause } from '../../domain/causes/cause.ts';
import { descriptorOf } from '../../flows/flows.ts';
import { alertOf } from '../../shadow/alerts.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { Intent } from '../../store/intents.ts';
import type { ListedMapping, Mapping, MappingKind } from '../../store/links.ts';
import { invalidRowText } from '../../store/reading.ts';
import type { JournalRow } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import type { FailedJob, WorkKey, WorkRow } from '../../store/work.ts';
import { accountNameFor } from '../accounts.ts';
import { isKeyedByErp } from '../entity.ts';
import { NotFound, UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import type { JsonOf, shownFields } from '../shapes.ts';
import { createsOf, doubtsNamed, targetOf } from './doubts.ts';
import { type Named, selectJobs } from './select.ts';

export type Shown = NonNullable<JsonOf<z.infer<typeof shownFields>>>;

export interface Dossier {
  readonly target: WorkKey;
  readonly failed: FailedJob | null;
  readonly work: WorkRow | null;
  readonly invalidRow: string | null;
  readonly alerts: readonly Cause[];
  readonly link: Pick<ListedMapping, 'marketplaceId' | 'erpId' | 'state' | 'how'> | null;
  readonly marketplace: Shown | null;
  readonly erp: Shown | null;
  /** Newest first. */
  readonly creates: readonly Intent[];
  /** Newest first. */
  readonly journal: readonly JournalRow[];
}

const JOURNAL_SHOWN = 50;

/**
 * All that is known of the named job or key.
 * @throws NotFound when nothing is
 */
export async function dossierNamed(
  opened: Opened,
  names: readonly Named[],
  account: string | undefined,
): Promise<{ dossier: Dossier; namesake: Intent | null }> {
  const { target, namesake } = await findTarget(opened, names, account);
  const dossier = await dossierOf(opened.store, target);
  if (!isEmpty(dossier)) return { dossier, namesake };
  throw new NotFound(
    `account ${target.account} has no record of ${target.flow} ${target.key}. Check the spelling. It may not have been read yet`,
  );
}

interface Found {
  readonly target: WorkKey;
  /** The doubt with the number of a failed job. */
  readonly namesake: Intent | null;
}

async function findTarget(opened: Opened, names: readonly Named[], account: string | undefined): Promise<Found> {
  const [named] = names;
  if (named === undefined || names.length > 1) throw new UsageError('name one job: ID, or FLOW/KEY');
  if ('flow' in named) {
    return { target: { account: accountNameFor(opened.config, account), ...named }, namesake: null };
  }
  const [job] = (await selectJobs(opened, names, account === undefined ? {} : { account })).jobs;
  const [doubt = null] = await doubtsNamed(opened, named, account);
  const ofDoubt = doubt === null ? null : targetOf(doubt);
  if (job === undefined) {
    if (ofDoubt !== null) return { target: ofDoubt, namesake: null };
    throw new NotFound(`${named.id} is neither a failed job nor in doubt: "stockbridge jobs list" shows what is`);
  }
  const target = { account: job.account, flow: job.flow, key: job.key };
  return { target, namesake: isDeepStrictEqual(target, ofDoubt) ? null : doubt };
}

/** Empty for an unknown key. */
export async function dossierOf(store: Store, target: WorkKey): Promise<Dossier> {
  const { account, flow, key } = target;
  const [failed = null] = await store.work.failed(target);
  const link = await linkOf(store, target);
  const { keys, links } = descriptorOf(flow);
  const isOfListing = links === 'product';
  const invalidRow = await store.invalidRows.get(
    account,
    isOfListing ? 'products' : keys,
    isOfListing ? (link?.marketplaceId ?? '') : key,
  );
  return {
    target,
    failed,
    work: await store.work.get(target),
    invalidRow: invalidRowText(invalidRow),
    alerts: await alertOf({ account, store }, `${flow}:${key}`),
    link,
    ...(await sidesOf(store, account, { kind: links, ...idsOf(target, link) })),
    creates: await createsOf(store, target),
    journal: await store.journal.of(account, flow, key, JOURNAL_SHOWN),
  };
}

/** An unknown key is probably mistyped. */
function isEmpty({ failed, work, invalidRow, link, marketplace, erp, creates, journal }: Dossier): boolean {
  const parts = [failed, work, invalidRow, link, marketplace, erp];
  return parts.every((part) => part === null) && creates.length === 0 && journal.length === 0;
}

function linkOf(store: Store, { account, flow, key }: WorkKey): Promise<Mapping | null> {
  const { links } = descriptorOf(flow);
  return isKeyedByErp(flow)
    ? store.mappings.byErpId(account, links, key)
    : store.mappings.byMarketplaceId(account, links, key);
}

/** The known ids of an entity. */
interface Ids {
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

function idsOf({ flow, key }: WorkKey, link: Mapping | null): Ids {
  return isKeyedByErp(flow)
    ? { marketplaceId: link?.marketplaceId ?? null, erpId: key }
    : { marketplaceId: key, erpId: link?.erpId ?? null };
}

type Sides = Pick<Dossier, 'marketplace' | 'erp'>;

/** Each side's fields; null: not shown there. */
export function sidesOf(store: Store, account: string, { kind, ...ids }: EntityIds): Promise<Sides> {
  return SIDES[kind](store, account, ids);
}

async function orderSides(store: Store, account: string, { marketplaceId, erpId }: Ids): Promise<Sides> {
  const stored = marketplaceId === null ? null : await store.orders.get(account, marketplaceId);
  const isUnlinked = erpId === null && marketplaceId !== null;
  const [byReference = null] = isUnlinked ? await store.erp.ordersByReference(account, marketplaceId) : [];
  return {
    marketplace: shown(stored, ({ order: { number, status, modified, externalId, customer }, lines }) => ({
      number,
      status,
      modified,
      external_id: externalId,
      customer: customer.id === null ? null : `${customer.id}${customer.name === null ? '' : ` (${customer.name})`}`,
      lines:
        lines?.map((line) => `${line.quantity.toFixed()} x listing ${line.productId}${line.late ? ' (late)' : ''}`) ??
        null,
    })),
    erp: shown(erpId === null ? byReference : await store.erp.order(account, erpId), (order) => ({
      id: order.id,
      status: order.status,
      origin: order.origin,
      reference: order.reference,
      changed_at: order.changedAt,
      lines: order.lines.map((line) => `${line.quantity.toFixed()} x ${line.sku}`),
    })),
  };
}

async function customerSides(store: Store, account: string, { marketplaceId, erpId }: Ids): Promise<Sides> {
  const there = marketplaceId === null ? null : await store.customers.get(account, Number(marketplaceId));
  return {
    marketplace: shown(there, (customer) => ({
      customer: String(customer.id),
      name: customer.name,
      external_id: customer.externalId,
      license_number: customer.licenseKey,
      email: customer.emailKey,
      archived: customer.archived,
    })),
    erp: shown(erpId === null ? null : await store.erp.customer(account, erpId), (customer) => ({
      id: customer.id,
      name: customer.name,
      marketplace_id: customer.marketplaceId === null ? null : String(customer.marketplaceId),
      license_number: customer.licenseNumber ?? null,
      email: customer.email ?? null,
      status: customer.status ?? null,
      active: customer.active ?? null,
    })),
  };
}

async function paymentSides(store: Store, account: string, { marketplaceId, erpId }: Ids): Promise<Sides> {
  return {
    marketplace: shown(marketplaceId === null ? null : await store.payments.get(account, marketplaceId), (payment) => ({
      payment: payment.id,
      order: payment.orderNumber,
      total: payment.total.toFixed(),
      currency: payment.currency,
      type: payment.type,
      payment_date: payment.paidAt,
    })),
    erp: shown(erpId === null ? null : await store.erp.payment(account, erpId), (payment) => ({
      id: payment.id,
      reference: payment.reference,
      amount: payment.amount.toFixed(),
      currency: payment.currency,
      method: payment.method,
      received_at: payment.receivedAt,
      voided: payment.voided,
    })),
  };
}

async function batchSides(store: Store, account: string, { marketplaceId, erpId }: Ids): Promise<Sides> {
  const there = marketplaceId === null ? null : await store.batches.get(account, Number(marketplaceId));
  return {
    marketplace: shown(there, ({ id, matchKey }) => ({ batch: String(id), found_by: matchKey })),
    erp: shown(erpId === null ? null : await store.erp.lot(account, erpId), ({ id, productId, batch }) => ({
      id,
      product: productId,
      batch,
    })),
  };
}

async function productSides(store: Store, account: string, { marketplaceId, erpId }: Ids): Promise<Sides> {
  const there = marketplaceId === null ? null : await store.products.get(account, Number(marketplaceId));
  const stock = erpId === null ? null : await store.erp.stock(account, erpId);
  return {
    marketplace: shown(there, ({ id, sku, name, archived, figures: { quantity, reserved, available } }) => ({
      listing: String(id),
      sku,
      name: name ?? null,
      archived,
      quantity: quantity?.toFixed() ?? null,
      reserved: reserved?.toFixed() ?? null,
      available: available?.toFixed() ?? null,
    })),
    erp: shown(
      erpId === null ? null : await store.erp.product(account, erpId),
      ({ id, sku, name, active, deleted }) => ({
        id,
        sku,
        name,
        active: active && !deleted,
        available: stock?.available.toFixed() ?? null,
        stock_as_of: stock?.asOf ?? null,
        stock_problem: stock?.problem ?? null,
      }),
    ),
  };
}

function shown<Entity>(entity: Entity | null, show: (there: Entity) => Shown): Shown | null {
  return entity === null ? null : show(entity);
}

const SIDES: Readonly<Record<MappingKind, typeof orderSides>> = {
  product: productSides,
  order: orderSides,
  customer: customerSides,
  payment: paymentSides,
  batch: batchSides,
};
