import { expect, test } from 'vitest';
import type { Cause } from '../../src/domain/causes/cause.ts';
import { exampleOf } from '../../src/domain/causes/cause.ts';
import {
  areListingsCurrent,
  beginRead,
  LISTINGS_KNOWN,
  markListKnown,
  recordReadTime,
} from '../../src/shadow/last-read.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { erpProduct, useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const context = () => ({ ...accountContext(shelf().store, accountConfig()), now: () => shelf().nowMs });
const isCurrent = () => areListingsCurrent(context());
const tellErp = (name: string) =>
  shelf().store.erp.recordProducts('main', [erpProduct({ name })], { listing: null, lane: 'poll' });

async function read(): Promise<void> {
  await recordReadTime(context(), 'listings', await beginRead(context()));
}

test('listings that were never read are not current', async () => {
  expect(await isCurrent()).toBe(false);
});

test('a read counts as the present state for ten seconds, however the clock moves', async () => {
  await read();
  const readAtMs = shelf().nowMs;
  for (const [afterMs, current] of [
    [0, true],
    [10_000, true],
    [10_001, false],
    [-10_001, false],
  ] as const) {
    shelf().nowMs = readAtMs + afterMs;
    expect(await isCurrent(), `${afterMs} ms`).toBe(current);
  }
});

test('the listings are not current after the ERP reports a new or changed product, and stay current for an unchanged one', async () => {
  await tellErp('New');
  await read();
  expect(await isCurrent()).toBe(true);
  await tellErp('New');
  expect(await isCurrent()).toBe(true);
  await tellErp('Newer');
  expect(await isCurrent()).toBe(false);
  await read();
  expect(await isCurrent()).toBe(true);
});

test('a listing read is not current after a change during the read', async () => {
  const began = await beginRead(context());
  await tellErp('New');
  await recordReadTime(context(), 'listings', began);
  expect(await isCurrent()).toBe(false);
});

test('a long read of the listings counts from the time at which it began', async () => {
  const began = await beginRead(context());
  shelf().nowMs += 10_001;
  await recordReadTime(context(), 'listings', began);
  expect(await isCurrent()).toBe(false);
});

test('work held for the first read of the listings is reconciled after it, and later holds stay', async () => {
  const { work } = shelf().store;
  const product = { account: 'main', flow: 'product', key: 'P-1' } as const;
  const shown = async () => {
    const row = await work.get(product);
    return row === null ? null : [row.state, row.heldFor];
  };
  const hold = async () => {
    await work.mark([product], 'poll', 'it is new');
    await work.hold(product, (await work.get(product))?.version ?? 0, [exampleOf('listings-unread') as Cause]);
  };
  await hold();
  expect(await shown()).toEqual(['held', [exampleOf('listings-unread')]]);
  await markListKnown(context(), LISTINGS_KNOWN, 'listings-unread');
  expect(await shown()).toEqual(['pending', null]);
  await hold();
  await markListKnown(context(), LISTINGS_KNOWN, 'listings-unread');
  expect((await shown())?.[0]).toBe('held');
});
