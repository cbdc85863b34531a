import { Decimal, parseDecimal, ZERO } from '../../domain/decimal.ts';
import { classifyDrift, type DriftKind, type Shift, unexplainedShift } from '../../domain/drift.ts';
import type { KnownLine } from '../../domain/shadow/order-move.ts';
import { listedOrLineFigure } from '../../domain/units.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../shadow/context.ts';
import { ordersReadAfter } from '../../shadow/last-read.ts';
import { noteInJournal } from '../../shadow/note.ts';
import type { Drift } from '../../store/stock.ts';
import { mayHaveCrossed } from './observe.ts';

const MENDS: Readonly<Record<DriftKind, string>> = {
  edited: 'somebody changed it there: it is written again',
  'unknown-order': 'an order that no list shows moved it: nothing of it is sold again',
  'late-line': 'a line that was added after Accepted is counted otherwise than documented: see its order',
  'own-write': 'a write of ours came late or crossed the read: it is written again',
};

/**
 * Classifies why a listing showed unexpected figures. Orders may explain it, so they are read first. What they do not
 * explain is recorded by kind, and the stock flow corrects the figures.
 */
export async function judgeDrift(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, store } = context;
  const linked = await store.mappings.linkedTo(account, 'product', look.key);
  if (linked === null) return;
  const listingId = Number(linked);
  const isUnread = async () => {
    const open = await store.drifts.open(account, listingId);
    return open !== null && !(await ordersReadAfter(context, open.tick));
  };
  if (await isUnread()) await context.readNow('orders', look, isUnread);
  const drift = await store.drifts.open(account, listingId);
  if (drift === null || (await isUnread())) return;
  const difference = unexplainedShift(drift.difference, drift.moves);
  const taken = await judgeTaken(context, look.key, drift, difference);
  const kind = taken.greaterThan(0)
    ? 'unknown-order'
    : classifyDrift({
        difference,
        shown: drift.shown,
        certain: drift.certain,
        field: context.config.inventory.write,
        written: await figuresLately(context, look.key),
        ...(await doubtfulLines(context, listingId)),
      });
  const note = noteOf(drift, difference, kind);
  await store.drifts.judge(drift.id, kind, note);
  if (kind === null) return;
  await noteInJournal(context, {
    account,
    flow: 'stock',
    key: look.key,
    action: `drift:${kind}`,
    target: `listing ${listingId}`,
    before: textOf(minus(drift.shown, difference)),
    after: textOf(drift.shown),
    why: note,
  });
}

/** Newly known orders may have reserved some of the vanished units. */
function judgeTaken({ account, store }: AccountRecords, key: string, drift: Drift, left: Shift): Promise<Decimal> {
  const explained = Decimal.max(ZERO, left.reserved.minus(drift.difference.reserved));
  return store.unseenSales.judge({ account, erpId: key }, explained, drift.listingId);
}

function noteOf({ shown }: Drift, difference: Shift, kind: DriftKind | null): string {
  if (kind === null) return '';
  return `expected ${textOf(minus(shown, difference))}, and it showed ${textOf(shown)}: ${MENDS[kind]}`;
}

function minus(a: Shift, b: Shift): Shift {
  return { quantity: a.quantity.minus(b.quantity), reserved: a.reserved.minus(b.reserved) };
}

function textOf({ quantity, reserved }: Shift): string {
  const available = quantity.minus(reserved);
  return `quantity ${quantity.toFixed()}, reserved ${reserved.toFixed()}, available ${available.toFixed()}`;
}

async function figuresLately(context: AccountRecords, key: string): Promise<Decimal[]> {
  const writes = await context.store.journal.latestWrites(context.account, 'stock', key);
  return writes
    .filter((write) => mayHaveCrossed(context, write))
    .flatMap(({ before, after }) => [before, after])
    .flatMap((text) => (text === null ? [] : (parseDecimal(text) ?? [])));
}

async function doubtfulLines({ account, config, store }: AccountRecords, listingId: number) {
  const listing = await store.products.get(account, listingId);
  const asListed = ({ quantity, unitMultiplier }: KnownLine) =>
    listedOrLineFigure(config.units, quantity, unitMultiplier ?? listing?.unitMultiplier ?? null);
  const live = await store.orders.liveLines(account, listingId);
  return {
    lateLines: (await store.orders.lateLines(account, listingId)).map(asListed),
    consumedLines: live.filter(({ effect }) => effect === 'consumed').map(({ line }) => asListed(line)),
  };
}
