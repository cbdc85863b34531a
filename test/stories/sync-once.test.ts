import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';

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

test('a refused write is not sent again by the later passes of a sync, and is by the next one', async () => {
  await open();
  // The marketplace takes no value below one.
  stage.erp.control.setProduct('SB-0001', { unit_multiplier: '0.5' });
  expect(await stage.sync()).toMatchObject({ written: 1, failed: 1 });
  expect(patches()).toBe(2);
  expect(await stage.sync()).toMatchObject({ written: 0, failed: 1 });
  expect(patches()).toBe(3);
});
