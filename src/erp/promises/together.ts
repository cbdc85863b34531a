import { CallFailure } from '../../domain/failure.ts';
import type { Bench } from './bench.ts';
import { assertPromise, assertSame, BrokenPromise } from './broken.ts';
import type { Check } from './check.ts';
import { cancel, draftOf, firstStatus } from './orders.ts';

export const TOGETHER: Check = {
  name: 'create-together',
  promise: 'of two orders that are made at the same moment, both are there once, each with a number of its own',
  effect: 'writes',
  async run(bench) {
    // The first answers raise the connection's limit from one write at a time.
    for (let pair = 0; pair < PAIRS; pair += 1) await makeTogether(bench);
  },
};

const PAIRS = 2;

async function makeTogether(bench: Bench): Promise<void> {
  const drafts = [await draftOf(bench, firstStatus(bench)), await draftOf(bench, firstStatus(bench))];
  const results = await Promise.allSettled(drafts.map((draft) => bench.erp.createOrder(draft)));
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    const error: unknown = result.reason;
    if (!(error instanceof CallFailure) || error.kind === 'rate-limited') throw error;
    throw new BrokenPromise({
      expected: 'both to be made',
      came: `${made.length} made, and of the other: ${error.message}`,
      mend: 'let the ERP take two orders at once; where it cannot, send one write at a time, in the type rest by limits.concurrent_writes: 1',
    });
  }
  const ids = made.map(({ id }) => id);
  assertPromise(new Set(ids).size === drafts.length, () => ({
    expected: 'two orders with two ids',
    came: `order ${ids.join(' and ')}`,
    mend: 'let each order have a number of its own, also where two are made at once',
  }));
  for (const [index, { reference }] of drafts.entries()) {
    const found = await bench.erp.findOrders(reference);
    assertSame(
      found.map(({ id }) => id),
      [ids[index]],
      'let the look-up by reference show each of them, once',
    );
  }
  for (const order of made) await cancel(bench, order);
}
