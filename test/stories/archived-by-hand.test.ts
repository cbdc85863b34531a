import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { textRedactor } from '../../src/logging/redaction.ts';
import { type ArchivedChoice, decideArchived } from '../../src/use/archived.ts';
import { explainEntity } from '../../src/use/explain/explain.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

/* Somebody archives a listing on the marketplace while the ERP sells its product. */

const SKU = 'SB-0001';
const listing = ({ marketplace }: Stage) => marketplace.productBySku(SKU);

/** A listing with 100 units that somebody archives. Both sides were read since. */
async function archived(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage(options);
  stage.erp.control.seed(2);
  stage.erp.control.setStock(SKU, '100');
  await stage.sync();
  stage.marketplace.requestLog.reset();
  stage.marketplace.archiveProduct(listing(stage).id);
  await stage.sync();
  return stage;
}

async function held(stage: Stage): Promise<readonly (string | undefined)[]> {
  const rows = await stage.store().work.held('main');
  return rows.map(({ flow, heldFor }) => `${flow}: ${heldFor?.map(({ code }) => code).join()}`);
}

const HELD = ['product: archived-by-hand'];
const writes = ({ marketplace }: Stage) => marketplace.requestLog.counts()['products.patch'] ?? 0;

const RESTORE: StageOptions = { account: '    products: { archived_by_hand: restore }' };

test('a listing archived by hand is held: nothing is written, not even its stock', async () => {
  const stage = await archived();
  expect(await held(stage)).toEqual(HELD);
  stage.erp.control.setStock(SKU, '90');
  await stage.sync();
  expect([await held(stage), writes(stage), listing(stage).archived]).toEqual([HELD, 0, true]);
});

const say = (stage: Stage, said: ArchivedChoice) =>
  decideArchived({ store: stage.store(), by: 'ada' } as never, 'main', listing(stage).id, said);

test('a listing archived by hand that an operator restores is listed with its present stock, and held when archived again', async () => {
  const stage = await archived();
  stage.erp.control.setStock(SKU, '90');
  await say(stage, 'asked-back');
  await stage.sync();
  expect([await held(stage), Number(listing(stage).available), listing(stage).archived]).toEqual([[], 90, false]);
  const written = await stage.store().journal.before(null, 10);
  expect(written.map(({ why }) => why).join()).toContain('an operator wants it back');
  stage.marketplace.archiveProduct(listing(stage).id);
  await stage.sync();
  expect([await held(stage), listing(stage).archived]).toEqual([HELD, true]);
});

test('a listing archived by hand that an operator accepts is not held, until that is revoked or it was listed again', async () => {
  const stage = await archived();
  await say(stage, 'left');
  await stage.sync();
  expect([await held(stage), writes(stage), listing(stage).archived]).toEqual([[], 0, true]);
  await say(stage, 'open');
  await stage.sync();
  expect(await held(stage)).toEqual(HELD);
  await say(stage, 'left');
  stage.marketplace.setProduct(listing(stage).id, { listing_state: 'Available' });
  await stage.sync();
  await expect(say(stage, 'left')).rejects.toThrow('is not archived any more');
  stage.marketplace.archiveProduct(listing(stage).id);
  await stage.sync();
  expect(await held(stage)).toEqual(HELD);
});

test('explain begins with the archive by hand, and names both ways out', async () => {
  const stage = await archived();
  const { config } = loadConfig(stage.configFile, {});
  const log = createLogger({ level: 'silent', secrets: [] });
  const opened = { config, store: stage.store(), by: 'ada', log, redact: textRedactor([]) };
  const { answer } = await explainEntity(opened, { name: SKU });
  expect(answer).toMatch(/^SB-0001 is archived on the marketplace: buyers can take none\. Its product is held: /);
  expect(answer).toContain('Restore the listing on the marketplace, or deactivate the product in the ERP.');
});

test('a listing archived by hand that is restored on the marketplace is released, and its stock is written', async () => {
  const stage = await archived();
  stage.erp.control.setStock(SKU, '90');
  stage.marketplace.setProduct(listing(stage).id, { listing_state: 'Available' });
  await stage.sync();
  expect([await held(stage), Number(listing(stage).available), listing(stage).archived]).toEqual([[], 90, false]);
});

test('a listing archived by hand is released when the ERP deactivates it, and is listed again when the ERP sells it again', async () => {
  const stage = await archived();
  stage.erp.control.setProduct(SKU, { active: false });
  await stage.sync();
  expect([await held(stage), listing(stage).archived]).toEqual([[], true]);
  stage.erp.control.setProduct(SKU, { active: true });
  await stage.sync();
  expect([await held(stage), listing(stage).archived]).toEqual([[], false]);
  const [last] = await stage.store().journal.before(null, 1, { flow: 'stock' });
  expect(last?.why).toMatch(/^active in the ERP again; /);
});

test('with the setting restore a listing archived by hand is restored once, and the journal says why', async () => {
  const stage = await archived(RESTORE);
  expect([await held(stage), listing(stage).archived, writes(stage)]).toEqual([[], false, 1]);
  const [last] = await stage.store().journal.before(null, 1, { flow: 'stock' });
  expect(last?.why).toMatch(/^archived on the marketplace, not by us; /);
});

test('an archive by hand is known from its webhook, without a full read of a list', async () => {
  const stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  await stage.stop();
  const app = await stage.start(['receive', 'work']);
  const url = `${app.receiverUrl}/webhooks/main/products`;
  marketplace.webhooks.setTargets([{ url, types: ['product'], secret: WEBHOOK_SECRET }]);
  marketplace.archiveProduct(listing(stage).id);
  await until('it is held', async () => (await held(stage)).join() === HELD.join());
});
