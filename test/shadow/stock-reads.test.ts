import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, erpProduct, stockRow, useShelf } from '../store/shelf.ts';

const shelf = useShelf();

/** An ERP that answers for stock when the test says so. */
function open() {
  const calls: { skus: readonly string[]; answer: (error?: Error) => void }[] = [];
  const readStock: ErpConnector['readStock'] = (skus) =>
    new Promise((resolve, reject) => {
      const items = skus.map((sku) => stockRow({ sku, productId: sku.replace('SB', 'P'), asOf: at(1) }));
      const page = { items, invalidRows: [], asOf: at(1), complete: true };
      calls.push({ skus, answer: (error) => (error === undefined ? resolve(page) : reject(error)) });
    });
  const context = accountContext(shelf().store, accountConfig(), { erp: { readStock } as unknown as ErpConnector });
  const read = (number: number) =>
    context.readStock({ key: `P-${number}`, lane: 'poll', signal: new AbortController().signal }, `SB-${number}`);
  return { calls, read };
}

test('products whose stock is requested during a call share the next one', async () => {
  const { calls, read } = open();
  const first = read(1);
  await nextTurn();
  const others = [read(2), read(3), read(2)];
  calls[0]?.answer();
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer();
  await Promise.all(others);
  expect(calls.map(({ skus }) => skus)).toEqual([['SB-1'], ['SB-2', 'SB-3']]);
});

test('a reconcile attempt that requested a stock figure goes on, and the other products of the answer are marked', async () => {
  const { store } = shelf();
  const items = [1, 2].map((number) => erpProduct({ id: `P-${number}`, sku: `SB-${number}` }));
  await store.erp.recordProducts('main', items, { listing: null, lane: 'poll' });
  await shelf().takeWork();
  const rows = [1, 2].map((number) => stockRow({ sku: `SB-${number}`, productId: `P-${number}` }));
  await store.erp.recordStock('main', rows, 'poll', ['P-1']);
  expect(await shelf().takeWork()).toEqual(['stock P-2']);
});

test.each([
  ['refuses', 'refused', 400],
  ['answers with an error of its own', 'unavailable', 500],
] as const)('a product whose SKU the ERP %s fails alone', async (_, kind, status) => {
  const { calls, read } = open();
  const first = read(1);
  await nextTurn();
  const second = read(2);
  const third = expect(read(3)).rejects.toThrow('no');
  const refused = new CallFailure('no', { side: 'erp', kind, outcome: 'not-applied', status });
  calls[0]?.answer();
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer(refused);
  await expect.poll(() => calls.length).toBe(4);
  for (const { skus, answer } of calls.slice(2)) answer(skus[0] === 'SB-3' ? refused : undefined);
  await Promise.all([second, third]);
});
