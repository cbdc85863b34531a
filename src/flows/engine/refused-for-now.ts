import { type Cause, cause } from '../../domain/causes/cause.ts';
import { Decimal } from '../../domain/decimal.ts';
import { CallFailure, type WaitsFor } from '../../domain/failure.ts';
import type { AccountRecords, Look } from '../../shadow/context.ts';
import type { Planned } from './decision.ts';
import { isRefusedForNow } from './end-of-write.ts';
import { LASTING, lockMet } from './locks.ts';

/** A waiting write is retried after this time, in case the ERP does not show the change it waits for. */
const AGAIN_MS = 15 * 60_000;
const MAX_SKUS = 100;

/** A write under a lasting lock is retried after this time, because each attempt uses one of the ERP's slots. */
const LOCKED_AGAIN_MS = 5 * 60_000;

type Locked = Extract<Cause, { readonly code: 'erp-record-locked' }>;
type Refused = Extract<Cause, { readonly code: 'erp-refuses-for-now' }>;
type Seen = Readonly<Record<string, string>>;

/**
 * Returns the hold for a write that the ERP refused because of its current state or a lasting lock. The hold stores the
 * write. null: another failure.
 */
export async function refusedForNow(
  context: AccountRecords,
  { heldFor = [] }: Pick<Look, 'heldFor'>,
  write: Planned,
  failure: unknown,
): Promise<Cause | null> {
  if (!(failure instanceof CallFailure)) return null;
  if (isRefusedForNow(failure)) return waitingFor(context, write, failure);
  return failure.outcome === 'not-applied' ? lastingLock(context, heldFor, write, failure) : null;
}

function lastingLock(
  { now }: AccountRecords,
  heldFor: readonly Cause[],
  write: Planned,
  failure: CallFailure,
): Cause | null {
  const { lock, message } = failure;
  const { action, target, before, after } = write;
  const held = heldFor.filter((one) => one.code === 'erp-record-locked').find((one) => isOf(one.params, write));
  const { since, refusals } =
    held === undefined ? lockMet(heldFor, now()) : { since: held.params.since, refusals: LASTING };
  if (lock === null || refusals < LASTING) return null;
  const againAtMs = now() + LOCKED_AGAIN_MS;
  return cause('erp-record-locked', {
    action,
    target,
    before,
    after,
    message,
    since,
    ...lock,
    againAtMs,
    again: false,
  });
}

const isOf = (one: Pick<Planned, 'action' | 'target'>, { action, target }: Planned) =>
  one.action === action && one.target === target;

async function waitingFor(context: AccountRecords, write: Planned, failure: CallFailure): Promise<Cause> {
  const { action, target, before, after } = write;
  const { what: waitsFor, skus: named } = failure.waitsFor ?? { what: 'time', skus: null };
  const skus = waitsFor === 'time' ? [] : (named ?? skusOf(write)).slice(0, MAX_SKUS);
  return cause('erp-refuses-for-now', {
    action,
    target,
    before,
    after,
    message: failure.message,
    waitsFor,
    skus,
    seen: await seenOf(context, waitsFor, skus),
    againAtMs: context.now() + AGAIN_MS,
    again: false,
  });
}

/** Updates holds: a refused write is retried once the change it waits for may have come. */
export async function currentHolds(context: AccountRecords, heldFor: readonly Cause[]): Promise<readonly Cause[]> {
  const kept = heldFor.map(async (one) => {
    if (one.code === 'erp-record-locked') return stillLocked(context, one);
    return one.code === 'erp-refuses-for-now' ? stillRefused(context, one) : one;
  });
  return (await Promise.all(kept)).filter((one) => one !== null);
}

/** The hold stays while the write is retried, because another refusal concerns the same lock. */
function stillLocked({ now }: AccountRecords, hold: Locked): Cause {
  const { again, againAtMs } = hold.params;
  return cause('erp-record-locked', { ...hold.params, again: again || now() >= againAtMs });
}

async function stillRefused(context: AccountRecords, hold: Refused): Promise<Cause | null> {
  const { waitsFor, skus, seen, again, againAtMs } = hold.params;
  if (again || context.now() >= againAtMs) return null;
  const now = await seenOf(context, waitsFor, skus);
  if (waitsFor === 'product') return skus.some((sku) => figureIn(now, sku) !== figureIn(seen, sku)) ? null : hold;
  if (skus.some((sku) => figure(now, sku).greaterThan(figure(seen, sku)))) return null;
  // The refusal's figure may have been outdated. A rise is measured from the lowest figure since.
  return cause('erp-refuses-for-now', { ...hold.params, seen: now });
}

function figure(seen: Seen, sku: string): Decimal {
  return new Decimal(figureIn(seen, sku) ?? '-Infinity');
}

/** A SKU may be a name that every object answers to, such as `constructor`. */
function figureIn(seen: Seen, sku: string): string | undefined {
  return Object.hasOwn(seen, sku) ? seen[sku] : undefined;
}

/** Stock, or time of the last change, by product. Unknown products are omitted. */
async function seenOf(
  { account, store }: AccountRecords,
  what: WaitsFor['what'],
  skus: readonly string[],
): Promise<Seen> {
  const seen = new Map<string, string>();
  for (const sku of what === 'time' ? [] : skus) {
    const [product] = await store.erp.productsBySku(account, sku);
    if (product === undefined) continue;
    if (what === 'product') seen.set(sku, product.changedAt);
    else {
      const rows = await store.erp.stockRows(account, product.id);
      if (rows.length > 0) seen.set(sku, Decimal.sum(...rows.map(({ available }) => available)).toFixed());
    }
  }
  return Object.fromEntries(seen);
}

/** The products of the order to write. Empty for other writes. */
function skusOf(write: Planned): readonly string[] {
  const { draft, change } = write as { readonly draft?: Lines; readonly change?: Lines };
  return [...new Set((draft?.lines ?? change?.lines ?? []).map(({ sku }) => sku))];
}

interface Lines {
  readonly lines?: readonly { readonly sku: string }[];
}
