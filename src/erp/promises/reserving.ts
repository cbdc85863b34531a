import { setTimeout as sleep } from 'node:timers/promises';
import { type Decimal, sum } from '../../domain/decimal.ts';
import { instantNs, isBefore, minusMs } from '../../domain/instant.ts';
import type { ErpOrder } from '../connector.ts';
import { type Bench, type Figures, testProducts } from './bench.ts';
import { assertPromise, assertSame } from './broken.ts';
import type { Check } from './check.ts';
import {
  acceptedOrder,
  cancel,
  figures,
  figuresAfter,
  figuresWithoutOrders,
  firstStatus,
  isGone,
  makeOrder,
  waitFor,
} from './orders.ts';
import { noEditing } from './writing.ts';

/** Checks of the effect of orders on stock, and of its delay. */
export const RESERVING_CHECKS: readonly Check[] = [
  {
    name: 'draft',
    part: 'drafts',
    promise: 'a draft reserves nothing',
    effect: 'writes',
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, 'draft');
      const mend = `let a draft reserve nothing (${ALONE})`;
      assertSame(await figures(bench), start, mend);
      await sleep(Math.min(bench.can.longestTransactionMs, bench.patience.forMs), undefined, { signal: bench.signal });
      assertSame(await figures(bench), start, mend);
      await cancel(bench, made);
    },
  },
  {
    name: 'reserve',
    promise: 'a reserved order takes its quantities, and it shows in time',
    effect: 'writes',
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, firstStatus(bench));
      const reserved = bench.uses.drafts
        ? await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { status: 'reserved' }))
        : made;
      assertSame(reserved.status, 'reserved', 'let an order be reserved, and a draft become so when its status is set');
      const lateMs = await waitForFigures(
        bench,
        figuresAfter(start, { reserved: await taken(bench, reserved) }),
        'once it is reserved',
      );
      await cancel(bench, made);
      return lateText(bench, lateMs, 'a reservation shows');
    },
  },
  {
    name: 'release',
    promise: 'a cancelled order releases what it reserved',
    effect: 'writes',
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, 'reserved');
      await waitForFigures(
        bench,
        figuresAfter(start, { reserved: await taken(bench, made) }),
        'once it is reserved',
        Infinity,
      );
      await cancel(bench, made);
      const lateMs = await waitForFigures(bench, start, 'once it is cancelled');
      return lateText(bench, lateMs, 'a release shows');
    },
  },
  {
    name: 'edit-reservation',
    promise: 'an edit of the lines moves the reservation with them',
    effect: 'writes',
    untested: noEditing,
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, 'reserved', ['2', '1']);
      const lines = made.lines.map((line) => ({ ...line, quantity: line.quantity.plus(1) }));
      const updated = await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { lines }));
      await waitForFigures(
        bench,
        figuresAfter(start, { reserved: await taken(bench, { ...updated, lines }) }),
        'after the edit',
      );
      const fewer = made.lines.slice(1);
      await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { lines: fewer }));
      await waitForFigures(
        bench,
        figuresAfter(start, { reserved: await taken(bench, { lines: fewer }) }),
        'once a line and a part of the other are taken off',
      );
      await cancel(bench, made);
    },
  },
  {
    name: 'orders-late',
    promise: 'a new, changed or cancelled order shows in the list of changes in time',
    effect: 'writes',
    async run(bench) {
      const made = await makeOrder(bench, 'reserved');
      const madeMs = await listedIn(bench, made, () => true, 'made');
      const changed = await cancel(bench, made);
      // A deleted order is in no list of changes.
      if (await isGone(bench, made.id)) return lateText(bench, madeMs, 'an order shows');
      const changedMs = await listedIn(bench, changed, ({ status }) => status === 'cancelled', 'cancelled');
      return lateText(bench, Math.max(madeMs, changedMs), 'an order shows');
    },
  },
  {
    name: 'stock-late',
    promise: 'a reservation shows in the list of changes of stock',
    effect: 'writes',
    async run(bench) {
      const before = (await Array.fromAsync(bench.erp.listStock(null)))[0]?.asOf ?? '';
      const [{ sku }] = await testProducts(bench);
      const made = await makeOrder(bench, 'reserved');
      const since = minusMs(before, bench.can.longestTransactionMs);
      const { value, lateMs } = await waitFor(bench, async () => {
        const rows = (await Array.fromAsync(bench.erp.listStock(since))).flatMap(({ items }) => items);
        return rows.find((row) => row.sku === sku) ?? null;
      });
      assertPromise(value !== null, () => ({
        expected: `${sku} among the changes of stock since ${since}`,
        came: `nothing of it within ${seconds(lateMs)}`,
        mend: 'let a change of what is reserved count as a change of the stock',
      }));
      assertPromise(lateMs <= bench.can.longestTransactionMs, () => ({
        expected: `${sku} among the changes of stock within ${seconds(bench.can.longestTransactionMs)}`,
        came: `it after ${seconds(lateMs)}`,
        mend: atLeast(lateMs),
      }));
      await cancel(bench, made);
      return lateText(bench, lateMs, 'a change of stock shows');
    },
  },
];

const ALONE = 'nobody else may touch the test products meanwhile: choose others with --sku';

async function taken(bench: Bench, { lines }: Pick<ErpOrder, 'lines'>): Promise<Decimal[]> {
  return (await testProducts(bench)).map(({ sku }) =>
    sum(lines.filter((line) => line.sku === sku).map(({ quantity }) => quantity)),
  );
}

/**
 * Waits for these stock figures. Returns their delay.
 * @throws BrokenPromise when it exceeds the longest transaction
 */
export async function waitForFigures(
  bench: Bench,
  wanted: Figures,
  when: string,
  mostMs = bench.can.longestTransactionMs,
): Promise<number> {
  let last: Figures = [];
  const { value, lateMs } = await waitFor(bench, async () => {
    last = await figures(bench);
    return JSON.stringify(last) === JSON.stringify(wanted) ? last : null;
  });
  assertPromise(value !== null, () => ({
    expected: `${figuresText(wanted)} ${when}`,
    came: `${figuresText(last)}, still after ${seconds(lateMs)}`,
    mend: `correct the order's status or the mapping of reserved (${ALONE})`,
  }));
  assertPromise(lateMs <= mostMs, () => ({
    expected: `${figuresText(wanted)} within ${seconds(mostMs)} ${when}`,
    came: `it after ${seconds(lateMs)}`,
    mend: atLeast(lateMs),
  }));
  return lateMs;
}

function figuresText(rows: Figures): string {
  return rows
    .map(
      ({ sku, onHand, reserved, available }) =>
        `${sku} ${onHand} on hand, ${reserved} reserved, ${available} available`,
    )
    .join('; ');
}

/**
 * Reads order changes as the program does, until the order appears. Returns its delay on the ERP's clock: from its
 * change to the start of the last read without it.
 */
async function listedIn(
  bench: Bench,
  order: ErpOrder,
  isSo: (order: ErpOrder) => boolean,
  how: string,
): Promise<number> {
  const overlapMs = bench.can.longestTransactionMs;
  let lacking = order.changedAt;
  const { value } = await waitFor(bench, async () => {
    const pages = await Array.fromAsync(bench.erp.listOrders(minusMs(order.changedAt, overlapMs)));
    const found = pages.flatMap(({ items }) => items).find(({ id }) => id === order.id);
    if (found !== undefined && isSo(found)) return found;
    lacking = pages[0]?.asOf ?? lacking;
    return null;
  });
  assertPromise(value !== null, () => ({
    expected: `order ${order.id} among the changes of orders since before it was ${how}`,
    came: `nothing of it up to ${lacking}`,
    mend: 'let every change of an order update its change time',
  }));
  const stamp = value?.changedAt ?? order.changedAt;
  const lateMs = isBefore(stamp, lacking) ? Number((instantNs(lacking) ?? 0n) - (instantNs(stamp) ?? 0n)) / 1e6 : 0;
  assertPromise(lateMs <= overlapMs, () => ({
    expected: `order ${order.id} to show within ${seconds(overlapMs)} of the time that it says it changed`,
    came: `it after ${seconds(lateMs)}`,
    mend: atLeast(lateMs),
  }));
  return lateMs;
}

/** Proposes twice the measured delay, since the next may be longer. */
function atLeast(lateMs: number): string {
  return `set capabilities.longest_transaction to ${Math.ceil((2 * lateMs) / 1_000)}s or more`;
}

function lateText({ can }: Bench, lateMs: number, what: string): string {
  const when = lateMs === 0 ? 'at once' : `after ${seconds(lateMs)}`;
  return `${what} ${when}; longest_transaction is ${seconds(can.longestTransactionMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
}
