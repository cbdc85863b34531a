import { describe, expect, test } from 'vitest';
import { shownCause } from '../../src/domain/causes/cause.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/* Some ERPs amend an order by cancelling it and making a copy with the same reference. The one that is alive is the order. */

const EVERY_ORDER = 'export_from: 2000-01-01T00:00:00Z, history: enter';

let stage: Stage;
let number: string;
let first: string;

const control = () => stage.erp.control;
const inErp = () =>
  control()
    .findOrders(number)
    .map(({ id, status }) => `${id} ${status}`);
const order = () => stage.marketplace.order(number);
const linked = async () => (await stage.store().mappings.byMarketplaceId('main', 'order', number))?.erpId;
const available = () => Number(stage.marketplace.productBySku('SB-0001').available);
const copy = (of: string, quantity?: string) =>
  control().copyOrder(of, quantity === undefined ? undefined : [{ sku: 'SB-0001', quantity, unit_price: priceOf(of) }])
    .id;
const priceOf = (id: string) =>
  control()
    .findOrders(number)
    .find((one) => one.id === id)?.lines[0]?.unit_price ?? '0';
const causes = async () => {
  const work = await stage.store().work.get({ account: 'main', flow: 'order-in', key: number });
  return [
    ...(work?.heldFor ?? []),
    ...(await alertOf({ account: 'main', store: stage.store() }, `order-in:${number}`)),
  ];
};
const codes = async () => (await causes()).map(({ code }) => code);
const advice = async () => (await causes()).map((cause) => shownCause(cause).next).join(' ');

async function begin({ orders = '', grace = '0s', status = 'Accepted' } = {}): Promise<void> {
  const settings = [EVERY_ORDER, `cancel_grace: ${grace}`, ...(orders === '' ? [] : [orders])].join(', ');
  stage = await openStage({
    marketplace: '      transitions: { accept: accept, fulfill: fulfill, reject: reject }',
    orders: settings,
  });
  control().seed(2);
  for (const { sku } of control().state().products) control().setStock(sku, '50');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listing = stage.marketplace.productBySku('SB-0001').id;
  number = stage.marketplace.placeOrder({ customer, items: [{ product: listing, quantity: '7' }] }).number;
  if (status !== 'Submitted') stage.marketplace.forceStatus(number, status);
  await stage.sync();
  first = control().findOrders(number)[0]?.id ?? '';
}

/** The order is linked to this one and marked with it, lives on, and both sides are quiet. */
async function seeFollowed(id: string, status = 'Accepted', told: readonly string[] = []): Promise<void> {
  await stage.sync();
  expect(await stage.sync(), 'a second pass').toMatchObject({ written: 0, failed: 0 });
  expect([await linked(), order().externalId, order().status, await codes()]).toEqual([id, id, status, told]);
}

/** The deeds of people in the ERP. Each answers the id of the order that is alive in the end. */
const AMENDMENTS: Readonly<Record<string, () => Promise<string> | string>> = {
  'cancelled and copied between two reads'() {
    control().cancelOrder(first);
    return copy(first);
  },
  'copied and cancelled between two reads'() {
    const id = copy(first);
    control().cancelOrder(first);
    return id;
  },
  async 'copied, read, and cancelled'() {
    const id = copy(first);
    await stage.sync();
    expect(await codes()).toEqual(['erp-orders-beside']);
    expect(await linked()).toBe(first);
    control().cancelOrder(first);
    return id;
  },
  async 'copied while the program is stopped, and cancelled'() {
    await stage.stop();
    const id = copy(first);
    control().cancelOrder(first);
    return id;
  },
  'amended twice before a read'() {
    control().cancelOrder(first);
    const second = copy(first);
    control().cancelOrder(second);
    return copy(second);
  },
  async 'amended twice, each seen'() {
    control().cancelOrder(first);
    const second = copy(first);
    await stage.sync();
    expect(await linked()).toBe(second);
    control().cancelOrder(second);
    return copy(second);
  },
  'deleted and made again'() {
    const id = copy(first);
    control().removeOrder(first);
    return id;
  },
  'copied, and the copy cancelled'() {
    control().cancelOrder(copy(first));
    return first;
  },
};

describe.each(Object.entries(AMENDMENTS))('an order that is %s', (_, amend) => {
  test('an order with an amended copy is linked to its open copy', async () => {
    await begin();
    await seeFollowed(await amend());
    expect(available()).toBe(50 - 7);
  });

  test('other quantities of an amended copy raise an alert as an edit of the ERP', async () => {
    await begin();
    const id = await amend();
    control().changeOrder(id, { lines: [{ sku: 'SB-0001', quantity: '5', unit_price: priceOf(id) }] });
    await seeFollowed(id, 'Accepted', ['edited-in-erp']);
    expect(Number(order().lines[0]?.quantity)).toBe(7);
    // The next step: change the order on the marketplace as well.
    stage.marketplace.editLine(order().lines[0]?.id ?? 0, { quantity: '5' });
    await seeFollowed(id);
  });

  test('other quantities of an amended copy go to the marketplace, where edits of the ERP are written', async () => {
    await begin({ orders: 'erp_edits: write' });
    const id = await amend();
    control().changeOrder(id, { lines: [{ sku: 'SB-0001', quantity: '5', unit_price: priceOf(id) }] });
    await seeFollowed(id);
    expect(Number(order().lines[0]?.quantity)).toBe(5);
    expect(available()).toBe(50 - 5);
  });

  test('an order whose amended copy has shipped is fulfilled', async () => {
    await begin();
    const id = await amend();
    control().shipOrder(id);
    await seeFollowed(id, 'Fulfilled');
  });

  test('an order whose amended copy is cancelled in the end is rejected', async () => {
    await begin();
    const id = await amend();
    await stage.sync();
    control().cancelOrder(id);
    await seeFollowed(id, 'Rejected');
  });

  test('an order that the buyer cancels has its amended copy cancelled', async () => {
    await begin();
    const id = await amend();
    await stage.sync();
    stage.marketplace.cancel(number);
    await seeFollowed(id, 'Canceled');
    expect(inErp().filter((one) => !one.endsWith('cancelled'))).toEqual([]);
    expect(available()).toBe(50);
  });
});

test('the journal and explain say which ERP order replaced which', async () => {
  await begin();
  control().cancelOrder(first);
  const id = copy(first);
  await stage.sync();
  const entries = await stage.store().journal.of('main', 'order-in', number, 10);
  expect(entries.find(({ action }) => action === 'order-in.follow')).toMatchObject({
    before: `linked to ERP order ${first}, cancelled`,
    after: `linked to ERP order ${id}`,
    why: `the ERP has ${id} in its place`,
  });
  const { stdout } = await run(['explain', number, '--config', stage.configFile]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`the ERP has ${id} in its place`);
});

test('a copy that comes within the grace period keeps the order from being rejected, and replaces the cancelled one', async () => {
  await begin({ grace: '10m' });
  await stage.stop();
  await stage.start();
  control().cancelOrder(first);
  await until('the cancellation is seen', async () => (await codes()).includes('cancelled-just-now'));
  expect(await advice()).toContain('Nothing to do');
  expect(order().status).toBe('Accepted');
  const id = copy(first);
  await until('the copy is followed', async () => (await linked()) === id && order().externalId === id);
  expect([order().status, await codes()]).toEqual(['Accepted', []]);
});

test('an order without a copy is rejected once the grace period is over', async () => {
  await begin({ grace: '1s' });
  control().cancelOrder(first);
  await seeFollowed(first, 'Rejected');
});

test('a copy that comes between the last read and the rejection is found, since the ERP is asked once more', async () => {
  await begin();
  await run(['pause', 'order-in', '--config', stage.configFile]);
  control().cancelOrder(first);
  await stage.sync();
  const id = copy(first);
  // Nothing is read any more: only the look itself may find the copy.
  await run(['resume', 'order-in', '--config', stage.configFile]);
  await until('the copy is followed', async () => (await linked()) === id);
  await seeFollowed(id);
});

test.each(['set back to Accepted on the marketplace', 'cancelled in the ERP'])(
  'an order whose copy comes too late is held with the right advice, until it is %s',
  async (how) => {
    await begin();
    control().cancelOrder(first);
    await seeFollowed(first, 'Rejected');
    const id = copy(first);
    await stage.sync();
    expect([await linked(), order().status, await codes()]).toEqual([id, 'Rejected', ['reopened']]);
    expect(await advice()).toContain(`set the order back to Accepted on the marketplace`);
    expect(await advice()).toContain(`cancel ERP order ${id}`);
    expect(inErp()).toContain(`${id} reserved`);
    if (how === 'cancelled in the ERP') control().cancelOrder(id);
    else stage.marketplace.forceStatus(number, 'Accepted');
    await stage.sync();
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
    expect(await codes()).toEqual([]);
    if (how !== 'cancelled in the ERP') await seeFollowed(id);
  },
);

test('a copy of an order that the buyer reopened is settled by entering the order in the ERP anew', async () => {
  await begin();
  stage.marketplace.cancel(number);
  await stage.sync();
  stage.marketplace.forceStatus(number, 'Accepted');
  await stage.sync();
  expect(await codes()).toEqual(['reopened']);
  expect(await advice()).toContain(`enter the order in the ERP again with the reference ${number}`);
  await seeFollowed(copy(first));
});

test('several open copies beside the linked order raise an alert until only one is left', async () => {
  for (const left of ['the linked one', 'the copy']) {
    await begin();
    const id = copy(first);
    await stage.sync();
    expect([await linked(), await codes()]).toEqual([first, ['erp-orders-beside']]);
    expect(await advice()).toContain('The order then follows the remaining one');
    const [kept, other] = left === 'the copy' ? [id, first] : [first, id];
    control().cancelOrder(other);
    await seeFollowed(kept);
  }
});

test('several open copies of a cancelled order hold it until only one is left', async () => {
  await begin();
  const [second, third] = [copy(first), copy(first)];
  control().cancelOrder(first);
  await stage.sync();
  expect([order().status, await codes()]).toEqual(['Accepted', ['several-erp-orders']]);
  expect(await advice()).toContain('Cancel all but one in the ERP');
  expect((await stage.sync()).written).toBe(0);
  control().cancelOrder(second);
  await seeFollowed(third);
});

test('a copy that gets another reference no longer raises an alert', async () => {
  await begin();
  const id = copy(first);
  await stage.sync();
  control().removeOrder(id);
  await seeFollowed(first);
});

test.each(['Submitted', 'Accepted', 'Fulfilled'])('the copy of an order that is %s is linked', async (status) => {
  await begin({ status });
  control().cancelOrder(first);
  await seeFollowed(copy(first), status);
});

test('a copy that is still a draft is linked, and the next step reserves it', async () => {
  await begin();
  control().cancelOrder(first);
  const id = copy(first);
  control().forceStatus(id, 'draft');
  await seeFollowed(id, 'Accepted', ['released-in-erp']);
  expect(await advice()).toContain('Reserve it again in the ERP');
  control().forceStatus(id, 'reserved');
  await seeFollowed(id);
});

describe('an order that is over, with another one in its place', () => {
  const shipped = async () => {
    await begin();
    control().shipOrder(first);
    await stage.sync();
    expect(order().status).toBe('Fulfilled');
    const id = copy(first);
    control().forceStatus(id, 'shipped');
    return id;
  };

  test('a finished order that is gone from the ERP, as after an import, is replaced by the other one', async () => {
    const id = await shipped();
    control().removeOrder(first);
    await stage.sync();
    await seeFollowed(id, 'Fulfilled');
  });

  test('a finished order that still exists is not replaced by the other one, and raises an alert', async () => {
    await shipped();
    await stage.sync();
    expect([await linked(), await codes()]).toEqual([first, ['erp-orders-beside']]);
  });
});

describe('a copy in the ERP whose reference no order of the marketplace has', () => {
  const told = async (reference: string) =>
    (await alertOf({ account: 'main', store: stage.store() }, `order-in:${reference}`)).map(
      (cause) => `${shownCause(cause).text}. ${shownCause(cause).next}`,
    );

  test.each([
    ['with spaces around it', () => ` ${number} `],
    ['misspelled', () => number.slice(1)],
    ['of its own', () => 'as agreed by phone'],
  ])(
    'an ERP order with an unknown reference raises an alert while it holds stock (%s), once the orders were read since',
    async (_name, spell) => {
      await begin();
      const reference = spell();
      const { id } = control().copyOrder(first, undefined, reference);
      await stage.sync();
      await stage.sync();
      expect(await told(reference)).toEqual([
        `ERP order ${id} reserves stock for marketplace order "${reference}", which does not exist. Correct the reference in the ERP, or cancel the ERP order, unless another program created it.`,
      ]);
      expect(await codes(), 'the linked order is as it was').toEqual([]);
      control().cancelOrder(id);
      await stage.sync();
      expect(await told(reference)).toEqual([]);
    },
  );
});
