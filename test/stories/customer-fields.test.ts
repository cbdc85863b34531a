import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const FIELDS = `{
        discount_percent: attributes.discount,
        tier: '$lookup({"gold": 1, "silver": 2}, attributes.class)',
        is_delinquent: attributes.blocked_for_payment,
        shipping_charge: attributes.freight,
        notes: attributes.memo,
        price_schedule_id: attributes.price_list }`;
const on = (fields: string) => `
    customers:
      to_marketplace: true
      fields: ${fields}
      poll: 100ms`;

interface Shown {
  readonly id: number;
  readonly notes?: string | null;
  readonly discount_percent?: string;
}

const customers = async () =>
  (await onMarketplace<{ results: Shown[] }>(stage, 'GET', '/customers/?page_size=500&ordering=id')).results;
const plans = async () =>
  (await stage.store().brakes.list('main')).flatMap(({ plan, items }) =>
    items.map(({ action, before, after }) => [plan.kind, action, before, after]),
  );
const written = async (key: string) =>
  (await stage.store().journal.of('main', 'customer-out', key, 20))
    .filter(({ outcome }) => outcome === 'written')
    .map(({ action, why }) => `${action}: ${why}`);

test("a customer's tier, discount, price schedule and other fields follow the ERP, and overwrite edits by hand", async () => {
  stage = await openStage({ account: on(FIELDS) });
  await onMarketplace(stage, 'POST', '/customer-tiers/', { name: 'Gold' }).catch(() => undefined);
  const { control } = stage.erp;
  const attributes = { discount: '7.5', blocked_for_payment: false, freight: '12', memo: 'Ring twice', price_list: 3 };
  const { id } = control.addCustomer({ name: 'Corner Shop', attributes });
  await stage.sync();
  const shown = { discount_percent: '7.5000', is_delinquent: false, shipping_charge: '12.00', notes: 'Ring twice' };
  expect(await customers()).toMatchObject([{ ...shown, price_schedule_id: 3 }]);
  expect((await stage.sync()).written).toBe(0);

  control.setCustomer(id, { attributes: { ...attributes, discount: '10', blocked_for_payment: true, memo: null } });
  await stage.sync();
  const now = { discount_percent: '10.0000', is_delinquent: true, notes: null };
  const [customer] = await customers();
  expect(customer).toMatchObject(now);

  await onMarketplace(stage, 'PATCH', `/customers/${customer?.id}/`, { discount_percent: '20', notes: 'Mine' });
  await stage.sync();
  expect(await customers()).toMatchObject([now]);
  const again = 'it was changed on the marketplace, and goes back to what the ERP shows';
  expect(await written(id)).toEqual(
    expect.arrayContaining([`customer-out.discount:price: ${again}`, `customer-out.patch: ${again}`]),
  );
  expect((await stage.sync()).written).toBe(0);
});

test('a discount that moves prices far, and another price schedule, wait for an operator; other fields are written', async () => {
  stage = await openStage({ account: on(FIELDS) });
  const { control } = stage.erp;
  const { id } = control.addCustomer({ name: 'Corner Shop', attributes: { discount: '10', price_list: 3, memo: 'A' } });
  await stage.sync();
  control.setCustomer(id, { attributes: { discount: '60', price_list: 4, memo: 'B' } });
  await stage.sync();
  expect(await customers()).toMatchObject([{ discount_percent: '10.0000', price_schedule_id: 3, notes: 'B' }]);
  expect(await plans()).toEqual([
    [
      'price',
      'customer-out.discount',
      '90 % of each price (discount_percent "10.0000")',
      '40 % of each price (discount_percent "60.0000")',
    ],
    ['price', 'customer-out.price-schedule', 'price_schedule_id 3', 'price_schedule_id 4'],
  ]);
});

test("a discount that grows in small steps is held once one day's steps exceed the price brake", async () => {
  stage = await openStage({ account: on('{ discount_percent: attributes.discount }') });
  const { control } = stage.erp;
  const { id } = control.addCustomer({ name: 'Corner Shop', attributes: { discount: '10' } });
  await stage.sync();
  for (const discount of ['35', '56']) {
    control.setCustomer(id, { attributes: { discount } });
    await stage.sync();
  }
  expect(await customers()).toMatchObject([{ discount_percent: '35.0000' }]);
  expect(await plans()).toMatchObject([
    ['price', 'customer-out.discount', expect.stringMatching(/^65 %/), expect.stringMatching(/^44 %/)],
  ]);
});

test('a field that is configured later is read of every customer before one is written', async () => {
  stage = await openStage({ account: on('{ notes: attributes.memo }') });
  const { control } = stage.erp;
  const { id } = control.addCustomer({ name: 'Corner Shop', attributes: { memo: 'A', discount: '30' } });
  await stage.sync();
  const [customer] = await customers();
  await onMarketplace(stage, 'PATCH', `/customers/${customer?.id}/`, { discount_percent: '30' });
  await stage.stop();
  const more = 'discount_percent: attributes.discount';
  writeFileSync(
    stage.configFile,
    readFileSync(stage.configFile, 'utf8').replace('{ notes: attributes.memo }', `{ notes: attributes.memo, ${more} }`),
  );
  await stage.sync();
  expect((await written(id)).filter((line) => line.includes('discount'))).toEqual([]);
  expect(await plans()).toEqual([]);
});

test('a field that fails to compute is reported, and the other fields are written', async () => {
  stage = await openStage({ account: on('{ tier: "$number(attributes.class)", notes: attributes.memo }') });
  const { id } = stage.erp.control.addCustomer({ name: 'Corner Shop', attributes: { class: 'gold', memo: 'A' } });
  await stage.sync();
  expect(await customers()).toMatchObject([{ notes: 'A' }]);
  expect(await stage.store().facts.get('main', `alert:customer-out:${id}`)).toContain(
    '"code":"customer-field-problem"',
  );
});
