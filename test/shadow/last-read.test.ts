import { expect, test } from 'vitest';
import { areListingsCurrent, beginRead, noteRead } from '../../src/shadow/last-read.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { erpProduct, useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const context = () => ({ ...accountContext(shelf().store, accountConfig()), now: () => shelf().nowMs });
const isCurrent = () => areListingsCurrent(context());
const tellErp = (name: string) =>
  shelf().store.erp.recordProducts('main', [erpProduct({ name })], { listing: null, lane: 'poll' });

async function read(): Promise<void> {
  await noteRead(context(), 'listings', await beginRead(context()));
}

test('listings that were never read are not known', async () => {
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

test('a product that the ERP tells of later was not looked for; one that is as it was is nothing new', async () => {
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

test('a read may have missed a change during the read', async () => {
  const began = await beginRead(context());
  await tellErp('New');
  await noteRead(context(), 'listings', began);
  expect(await isCurrent()).toBe(false);
});

test('a read that takes long tells what was there when it began', async () => {
  const began = await beginRead(context());
  shelf().nowMs += 10_001;
  await noteRead(context(), 'listings', began);
  expect(await isCurrent()).toBe(false);
});
