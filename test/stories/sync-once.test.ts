import { expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { openStage, type Stage } from '../support/stage.ts';

const REFUSED = 'status-before@products.patch,status=400,times=1';

let stage: Stage;

const patches = () => stage.marketplace.requestLog.counts()['products.patch'] ?? 0;

async function open(): Promise<void> {
  stage = await openStage();
  stage.erp.control.seed(2);
  await stage.sync();
  stage.marketplace.requestLog.reset();
  // A write makes another pass necessary.
  stage.erp.control.setStock('SB-0002', '7');
}

test('a refused write is repeated by the next sync, and not by a later pass of the same sync', async () => {
  await open();
  // The stock has another address.
  stage.erp.control.setProduct('SB-0001', { name: 'A name that the marketplace refuses' });
  stage.marketplace.faults.set(parseFault(REFUSED));
  expect(await stage.sync()).toMatchObject({ written: 1, failed: 1 });
  expect(patches()).toBe(2);
  stage.marketplace.faults.set(parseFault(REFUSED));
  expect(await stage.sync()).toMatchObject({ written: 0, failed: 1 });
  expect(patches()).toBe(3);
});
