import { CallFailure } from '../../domain/failure.ts';
import type { ErpOrder, ErpOrderChange } from '../connector.ts';
import type { Cut } from '../wire.ts';
import type { Bench } from './bench.ts';
import { assertPromise, assertSame, BrokenPromise, NotTestable } from './broken.ts';
import type { Check } from './check.ts';
import {
  cancel,
  currentOrder,
  draftOf,
  factsOf,
  figuresWithoutOrders,
  isGone,
  lineFacts,
  makeOrder,
} from './orders.ts';
import { waitForFigures } from './reserving.ts';
import { noEditing, sameFacts } from './writing.ts';

/** Checks that break each call of a write in turn: before it is applied, or before its answer arrives. */
export const CUT_CHECKS: readonly Check[] = [
  {
    name: 'cut-create',
    promise: 'a create that breaks off at any of its calls ends as one order, whole',
    effect: 'writes',
    run: (bench) =>
      atEachCall(bench, async (where) => {
        const draft = await draftOf(bench, 'reserved');
        const made = await surely(where, () => bench.makeSurely(draft));
        bench.recorder.mend();
        const found = await bench.erp.findOrders(draft.reference);
        assertPromise(found.length === 1, () => ({
          expected: `one order with reference ${draft.reference}${where()}`,
          came: found.length === 0 ? 'none' : `orders ${found.map(({ id }) => id).join(', ')}`,
          mend: 'let the look-up by reference show an order as soon as it is made',
        }));
        // The order may have ended as a complete draft, which the program reserves at its next look.
        const isReserved = ({ status }: ErpOrder) => status === 'reserved';
        if ((await currentOrder(bench, made.id)).status === 'draft') {
          await surely(where, () => changeSurely(bench, made.id, { status: 'reserved' }, isReserved));
        }
        const wanted = factsOf(bench, { ...draft, origin: 'marketplace' });
        sameFacts(factsOf(bench, await currentOrder(bench, made.id)), wanted, `the order${where()}`);
        await cancel(bench, made);
      }),
  },
  {
    name: 'cut-edit',
    promise: 'an edit that breaks off at any of its calls is repeated, and takes effect once',
    effect: 'writes',
    untested: noEditing,
    run: (bench) =>
      atEachCall(bench, async (where) => {
        const made = await unbroken(bench, () => makeOrder(bench, 'reserved'));
        const lines = made.lines.map((line) => ({ ...line, quantity: line.quantity.plus(1) }));
        const wanted = JSON.stringify(lineFacts(lines));
        const isDone = (order: ErpOrder) => JSON.stringify(lineFacts(order.lines)) === wanted;
        await surely(where, () => changeSurely(bench, made.id, { lines }, isDone));
        bench.recorder.mend();
        assertSame(
          lineFacts((await currentOrder(bench, made.id)).lines),
          lineFacts(lines),
          `let a repeated edit do no more${where()}`,
        );
        await cancel(bench, made);
      }),
  },
  {
    name: 'cut-cancel',
    promise: 'a cancellation that breaks off at any of its calls is repeated, and releases the stock',
    effect: 'writes',
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const measured = await atEachCall(bench, async (where) => {
        const made = await unbroken(bench, () => makeOrder(bench, 'reserved'));
        const isDone = ({ status }: ErpOrder) => status === 'cancelled';
        await surely(where, () => changeSurely(bench, made.id, { status: 'cancelled' }, isDone));
        bench.recorder.mend();
        if (await isGone(bench, made.id)) return;
        assertSame(
          (await currentOrder(bench, made.id)).status,
          'cancelled',
          `let a repeated cancellation end as cancelled${where()}`,
        );
      });
      await waitForFigures(bench, start, 'once all is cancelled', Infinity);
      return measured;
    },
  },
];

const MOST_CALLS = 20;

/** Repeats a write, each time with its next call broken, until no call is left. */
async function atEachCall(bench: Bench, write: (where: () => string) => Promise<void>): Promise<string> {
  const hits: string[] = [];
  try {
    for (const cut of ['not-applied', 'answer-lost'] as const) {
      for (let after = 0; after < MOST_CALLS; after += 1) {
        const hit = bench.recorder.breakAt(after, cut);
        await write(() => whereText(hit(), cut));
        const operation = hit();
        if (operation === null) break;
        hits.push(operation);
      }
    }
  } finally {
    bench.recorder.mend();
  }
  if (hits.length === 0) throw new NotTestable('this connection cannot be broken at a chosen call');
  return `broken at ${hits.length} places: ${[...new Set(hits)].join(', ')}`;
}

function whereText(operation: string | null, cut: Cut): string {
  if (operation === null) return '';
  return `, after ${operation} ${cut === 'not-applied' ? 'was not applied' : 'was applied and its answer lost'}`;
}

/** Runs `work` without breaking or counting calls. */
async function unbroken<T>({ recorder }: Bench, work: () => Promise<T>): Promise<T> {
  const again = recorder.hold();
  try {
    return await work();
  } finally {
    again();
  }
}

/** @throws BrokenPromise naming the broken call when `work` fails */
async function surely<T>(where: () => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    throw new BrokenPromise({
      expected: `the write to be done when it is tried again${where()}`,
      came: error.message,
      mend: 'let each step look whether it is done already',
    });
  }
}

const MOST_TRIES = 5;

/** Changes an order as the program does: a change that may have been applied is looked up before it is repeated. */
async function changeSurely(
  bench: Bench,
  id: string,
  change: ErpOrderChange,
  isDone: (order: ErpOrder) => boolean,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await bench.erp.updateOrder(id, change);
      return;
    } catch (error) {
      const isOpen = error instanceof CallFailure && error.outcome === 'unknown';
      if (!isOpen || tries === MOST_TRIES) throw error;
    }
    if (change.status === 'cancelled' && (await isGone(bench, id))) return;
    if (isDone(await currentOrder(bench, id))) return;
  }
}
