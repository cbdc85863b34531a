import { beforeEach, expect, test } from 'vitest';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let context: AccountContext;
beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(3);
  context = await standStill(stage);
  await read(context, 'read:all-erp-products');
  await read(context, 'read:all-erp-orders');
});

const HOUR_MS = 3_600_000;
const unseen = (collection: string) => alertOf(context, `erp:unseen-${collection}`);

/** The ERP shows every time of its products an hour too early, and finds changes by these times. */
function inAnotherZone(): AccountContext {
  const hourEarlier = (at: string) => new Date(Date.parse(at) - HOUR_MS).toISOString();
  const { erp } = context;
  return {
    ...context,
    erp: {
      ...erp,
      async *listProducts(since, signal) {
        for await (const page of erp.listProducts(null, signal)) {
          const items = page.items.map((row) => ({ ...row, changedAt: hourEarlier(row.changedAt) }));
          yield { ...page, items: items.filter(({ changedAt }) => since === null || changedAt >= since) };
        }
      },
    },
  };
}

test('an ERP time zone that makes times look old is reported after the next full list, with the timestamp', async () => {
  const wrong = inAnotherZone();
  await read(wrong, 'read:all-erp-products');
  stage.erp.control.setProduct('SB-0001', { name: 'Another name' });
  await read(wrong, 'read:erp-products');
  expect(await unseen('erp-products')).toEqual([]);
  await read(wrong, 'read:all-erp-products');
  expect(await unseen('erp-products')).toMatchObject([
    { code: 'erp-changes-unseen', params: { count: 1, row: 'P-000001' } },
  ]);
  await read(wrong, 'read:all-erp-products');
  expect(await unseen('erp-products')).toEqual([]);
});

test('a change that a read of changes can return raises no alert', async () => {
  stage.erp.control.setProduct('SB-0001', { name: 'Another name' });
  await read(context, 'read:all-erp-products');
  expect(await unseen('erp-products')).toEqual([]);
});

test("unseen changes raise no alert if the ERP's description has changed since, or the list is always read completely", async () => {
  const wrong = inAnotherZone();
  await read(wrong, 'read:all-erp-products');
  stage.erp.control.setProduct('SB-0001', { name: 'Another name' });
  const whole = { ...wrong, erp: { ...wrong.erp, notices: { products: 'whole' } as const } };
  await read(whole, 'read:all-erp-products');
  expect(await unseen('erp-products')).toEqual([]);
  stage.erp.control.setProduct('SB-0001', { name: 'A third name' });
  const section = {
    ...wrong.config.erp.section,
    settings: { other: true },
  } as unknown as typeof wrong.config.erp.section;
  const described = { ...wrong, config: { ...wrong.config, erp: { ...wrong.config.erp, section } } };
  await read(described, 'read:all-erp-products');
  expect(await unseen('erp-products')).toEqual([]);
});
