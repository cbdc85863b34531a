import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shownCause } from '../../src/domain/causes/cause.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { findEntity } from '../../src/use/entity.ts';
import { lookAgain } from '../../src/use/look-again.ts';
import type { Opened } from '../../src/use/open.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { type Answer, openDoor, retold } from '../support/twisted.ts';

/* An ERP that keeps the references of orders otherwise than they are sent gets no order twice, and no more orders until it is known
   what it keeps. */

const SKU = 'SB-0001';

interface Erp {
  /** The reference that the ERP keeps of the one that it is sent. */
  keep: (reference: string) => string;
  /** The answer to a create repeats the reference as it was sent. */
  readonly repeats?: boolean;
  /** Somebody has set the references of all orders right. */
  isSetRight?: boolean;
}

async function open(erp: Erp): Promise<Stage & { place: () => string }> {
  const stage = await openStage({
    timeout: '5s',
    through: async (side, url) => {
      const door = await openDoor(url);
      if (side === 'marketplace') return door;
      const isCreate = ({ method, target }: Pick<Answer, 'method' | 'target'>) =>
        method === 'POST' && target === '/v1/orders';
      let sent = '';
      const kept = new Map<string, string>();
      door.reword = (asked) => {
        if (!isCreate(asked)) return asked.body;
        const draft = JSON.parse(asked.body) as { reference: string };
        sent = draft.reference;
        kept.set(erp.keep(sent), sent);
        return JSON.stringify({ ...draft, reference: erp.keep(sent) });
      };
      const setRight = (body: string) =>
        [...kept].reduce((text, [shown, whole]) => text.replaceAll(`"${shown}"`, `"${whole}"`), body);
      door.twist = (answer) =>
        isCreate(answer) && erp.repeats && answer.status === 201
          ? retold(answer, (order: object) => ({ ...order, reference: sent }))
          : erp.isSetRight
            ? { ...answer, body: Buffer.from(setRight(answer.body.toString())) }
            : answer;
      return door;
    },
  });
  stage.erp.control.seed(1);
  stage.erp.control.setStock(SKU, '1000');
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const items = () => [{ product: stage.marketplace.productBySku(SKU).id, quantity: '1' }];
  return { ...stage, place: () => stage.marketplace.placeOrder({ customer, items: items() }).number };
}

const orders = ({ erp }: Stage) => erp.control.state().orders.filter(({ status }) => status !== 'cancelled');
/** The reference that the ERP shows of an order. */
const referenceIn = (stage: Stage, number: string) =>
  orders(stage).find(({ id }) => id === stage.marketplace.order(number).externalId)?.reference ?? '';
const heldFor = async (stage: Stage, number: string) =>
  (await stage.store().work.held('main')).find(({ key }) => key === number)?.heldFor?.map(({ code }) => code) ?? [];
const told = async (stage: Stage) =>
  (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ name, causes }) =>
    name === 'erp:references' ? causes : [],
  );

/** Sets capabilities of the ERP in the configuration, and starts again. */
async function declare(stage: Stage, reference: string): Promise<void> {
  await stage.stop();
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(
    stage.configFile,
    text.replace('poll: 100ms, timeout', `capabilities: { reference: ${reference} }, poll: 100ms, timeout`),
  );
  await stage.sync();
  await stage.sync();
}

const KEEPS: Record<string, { readonly keep: Erp['keep']; readonly declared: string }> = {
  '35 of 36 characters': { keep: (text) => text.slice(0, 35), declared: '{ length: 35 }' },
  '21 characters': { keep: (text) => text.slice(0, 21), declared: '{ length: 21 }' },
  capitals: { keep: (text) => text.toUpperCase(), declared: '{ case: ignored }' },
  'letters and digits alone': {
    keep: (text) => text.replaceAll(/[^A-Za-z0-9]/g, ''),
    declared: '{ characters: letters-and-digits }',
  },
  '30 capitals without signs': {
    keep: (text) =>
      text
        .replaceAll(/[^A-Za-z0-9]/g, '')
        .toUpperCase()
        .slice(0, 30),
    declared: '{ length: 30, characters: letters-and-digits, case: ignored }',
  },
};

test.each(Object.entries(KEEPS))(
  'an ERP that keeps %s gets one order, and the others once that is declared',
  async (_what, { keep, declared }) => {
    const stage = await open({ keep });
    const first = stage.place();
    await stage.sync();
    const second = stage.place();
    await stage.sync();
    expect(orders(stage)).toHaveLength(1);
    expect(await told(stage)).toMatchObject([
      { code: 'reference-differs', params: { sent: first, shown: keep(first) } },
    ]);
    expect(await heldFor(stage, second)).toEqual(['reference-differs']);
    expect(shownCause((await told(stage))[0] as never).next).toContain('erp.capabilities');
    await declare(stage, declared);
    expect(orders(stage)).toHaveLength(2);
    expect(await told(stage)).toEqual([]);
    const third = stage.place();
    await stage.sync();
    expect(orders(stage)).toHaveLength(3);
    for (const number of [first, second, third]) expect(stage.marketplace.order(number).externalId).not.toBeNull();
    const named = await findEntity(stage.store(), 'main', referenceIn(stage, third), 'order');
    expect(named?.marketplaceId).toBe(third);
    expect(await told(stage)).toEqual([]);
    expect((await stage.sync()).written).toBe(0);
  },
);

test.each(Object.entries(KEEPS))(
  'an ERP that keeps %s gets no order twice although answers are lost',
  async (_what, { keep }) => {
    const stage = await open({ keep });
    stage.erp.control.inject({ kind: 'lose-answer', method: 'POST', path: '/v1/orders' });
    const number = stage.place();
    await stage.stop();
    const file = readFileSync(stage.configFile, 'utf8');
    writeFileSync(stage.configFile, file.replace('poll: 100ms, timeout: 5s', 'poll: 100ms, timeout: 1s'));
    await stage.start();
    await until('it is linked', () => stage.marketplace.order(number).externalId !== null);
    const other = stage.place();
    await until('creates have stopped', async () => (await heldFor(stage, other)).includes('reference-differs'));
    expect(orders(stage)).toHaveLength(1);
    expect(await told(stage)).toHaveLength(1);
  },
);

test('a create whose answer only echoes the reference is detected by the list', async () => {
  const stage = await open({ keep: (text) => text.slice(0, 35), repeats: true });
  const first = stage.place();
  await stage.stop();
  await stage.start();
  await until('it is told', async () => (await told(stage)).length > 0);
  const second = stage.place();
  await until('creates have stopped', async () => (await heldFor(stage, second)).includes('reference-differs'));
  expect(orders(stage)).toHaveLength(1);
  expect(stage.marketplace.order(first).externalId).not.toBeNull();
});

test('an order with a changed reference and a lost answer is in doubt, and is not entered again', async () => {
  let last = 0;
  const stage = await open({ keep: () => `MP-${(last += 1)}` });
  stage.erp.control.inject({ kind: 'lose-answer', method: 'POST', path: '/v1/orders' });
  const number = stage.place();
  await stage.stop();
  const file = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, file.replace('poll: 100ms, timeout: 5s', 'poll: 100ms, timeout: 1s'));
  await stage.start();
  await until('it is in doubt', async () => (await heldFor(stage, number)).includes('look-alikes'));
  expect(orders(stage)).toHaveLength(1);
});

test('an order with a truncated reference still follows the ERP: a shipment fulfils it', async () => {
  const stage = await open({ keep: (text) => text.slice(0, 35) });
  const number = stage.place();
  stage.marketplace.transition(number, 'accept');
  await stage.sync();
  stage.erp.control.shipOrder(orders(stage)[0]?.id ?? '');
  await stage.sync();
  expect(stage.marketplace.order(number).status).toBe('Fulfilled');
});

test('a corrected ERP gets orders again once a person has retried some that wait', async () => {
  const erp: Erp = { keep: (text) => text.slice(0, 35) };
  const stage = await open(erp);
  stage.place();
  await stage.sync();
  const second = stage.place();
  await stage.sync();
  expect(await heldFor(stage, second)).toEqual(['reference-differs']);
  erp.keep = (text) => text;
  const [other, opened] = [stage.place(), { store: stage.store(), by: 'ada' } as Opened];
  await stage.sync();
  expect(await lookAgain(opened, 'main', { kind: 'order', ids: [second, other] })).toBe(2);
  await stage.stop();
  await stage.start();
  for (const number of [second, other])
    await until('it is entered', () => stage.marketplace.order(number).externalId !== null);
  const third = stage.place();
  await until('others are', () => stage.marketplace.order(third).externalId !== null);
  expect(orders(stage)).toHaveLength(4);
  expect(await told(stage)).toEqual([]);
});

test("a person's decision on another order proves nothing about references", async () => {
  const stage = await open({ keep: (text) => text.slice(0, 35) });
  const first = stage.place();
  await stage.sync();
  await stage.store().work.mark([{ account: 'main', flow: 'order-in', key: first }], 'operator', 'approved');
  await stage.sync();
  expect(await told(stage)).toMatchObject([{ code: 'reference-differs', params: { sent: first } }]);
});

test.each([
  ['cut', (text: string) => text.slice(0, 35)],
  ['in capitals', (text: string) => text.toUpperCase()],
  ['with spaces', (text: string) => ` ${text} `],
])(
  'a reference that is %s and corrected again ends the alert, and the orders that waited are entered',
  async (_how, keep) => {
    const erp: Erp = { keep };
    const stage = await open(erp);
    stage.place();
    await stage.sync();
    const second = stage.place();
    await stage.sync();
    expect(await heldFor(stage, second)).toEqual(['reference-differs']);
    erp.keep = (text) => text;
    erp.isSetRight = true;
    stage.erp.control.changeOrder(orders(stage)[0]?.id ?? '', { note: 'the reference is set right' });
    await stage.sync();
    expect(await told(stage)).toEqual([]);
    expect(await heldFor(stage, second)).toEqual([]);
    expect(orders(stage)).toHaveLength(2);
    expect(await told(stage)).toEqual([]);
  },
);

test('short references work in both directions: edits, shipping and a lost database', async () => {
  const stage = await open({ keep: (text) => text.slice(0, 21).toUpperCase() });
  await declare(stage, '{ length: 21, characters: letters-and-digits, case: ignored }');
  const [one, two] = [stage.place(), stage.place()];
  await stage.sync();
  expect(orders(stage).map(({ reference }) => reference)).toEqual([
    expect.stringMatching(/^[A-Z2-7]{21}$/),
    expect.stringMatching(/^[A-Z2-7]{21}$/),
  ]);
  const line = stage.marketplace.order(one).lines[0]?.id ?? 0;
  stage.marketplace.editLine(line, { quantity: '5' });
  await stage.sync();
  expect(
    orders(stage)
      .map(({ lines }) => Number(lines[0]?.quantity))
      .toSorted((a, b) => a - b),
  ).toEqual([1, 5]);
  stage.marketplace.transition(two, 'accept');
  await stage.sync();
  stage.erp.control.shipOrder(stage.marketplace.order(two).externalId ?? '');
  await stage.sync();
  expect(stage.marketplace.order(two).status).toBe('Fulfilled');
  await stage.stop();
  rmSync(join(stage.dir, 'data'), { recursive: true });
  for (const number of [one, two]) stage.marketplace.editOrder(number, { external_id: null });
  await stage.sync();
  await stage.sync();
  expect(stage.erp.control.state().orders).toHaveLength(2);
  expect(stage.marketplace.order(one).externalId).not.toBeNull();
  expect(await told(stage)).toEqual([]);
});

test('an order that was entered under its full number is found once short references are declared, also without the database', async () => {
  const stage = await open({ keep: (text) => text });
  const number = stage.place();
  await stage.sync();
  await stage.stop();
  rmSync(join(stage.dir, 'data'), { recursive: true });
  stage.marketplace.editOrder(number, { external_id: null });
  await declare(stage, '{ characters: letters-and-digits, case: ignored }');
  expect(stage.erp.control.state().orders).toHaveLength(1);
  expect(stage.marketplace.order(number).externalId).not.toBeNull();
});
