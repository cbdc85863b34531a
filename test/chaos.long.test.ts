import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { disagreements } from './support/agreement.ts';
import { type Chance, chance } from './support/chance.ts';
import { heldOf, isHeld, shownHeld } from './support/held.ts';
import { openStage, type Stage } from './support/stage.ts';
import { WEBHOOK_SECRET } from './support/webhook-secret.ts';

/*
 * Seeded stories on the real thing: buyers, staff, people in the ERP and faults act at random while the daemon runs.
 * Then the faults stop, and both sides have to agree within two passes. SEEDS=from-to runs more of them.
 */
const [from = 1, to = 2] = (process.env['SEEDS'] ?? '').split('-').filter(Boolean).map(Number);
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

for (const strategy of ['a', 'b', 'c'] as const) {
  for (const seed of seeds) {
    test(`strategy ${strategy}, seed ${seed}: after any story, both sides agree and stay quiet`, async () => {
      const stage = await openStage({
        strategy,
        timeout: '1500ms',
        marketplace: '      transitions: { accept: accept, reject: reject }',
      });
      await play(stage, chance(`${strategy} ${seed}`));
      await stage.stop();
      stage.marketplace.faults.clear();
      stage.erp.control.clearFaults();
      const first = await stage.sync();
      const second = await stage.sync();
      const third = await stage.sync();
      const { work } = stage.store();
      const held = heldOf(await work.held(), await work.failed());
      const differ = disagreements(stage, strategy).filter((line) => !isHeld(line, held));
      if (differ.length > 0)
        throw new Error([...differ, 'held:', ...held.map(shownHeld), ...(await historyOf(stage, differ))].join('\n'));
      expect({ first, second, third }).toMatchObject({
        second: { pending: 0 },
        third: { written: 0, pending: 0 },
      });
    });
  }
}

/** The bridge's records about the orders that differ. */
async function historyOf(stage: Stage, differ: readonly string[]): Promise<string[]> {
  const { store } = stage.app().core.state;
  const keys = differ.flatMap((line) => line.match(/SO-\d+|[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
  const told: string[] = [];
  for (const key of new Set(keys)) {
    for (const flow of ['order-in', 'order-out']) {
      for (const entry of (await store.journal.of('main', flow, key, 20)).toReversed()) {
        told.push(`${flow} ${key}: ${entry.action} ${entry.outcome}: ${entry.answer.slice(0, 150)} (${entry.why})`);
      }
    }
    told.push(
      `erp: ${JSON.stringify(await store.erp.order('main', key))} ${JSON.stringify(await store.mappings.byErpId('main', 'order', key))}`,
    );
    told.push(
      `truth: ${JSON.stringify(stage.erp.control.state().orders.filter((order) => order.id === key || order.reference === key))}`,
    );
  }
  return told;
}

const STEPS = 60;

async function play(stage: Stage, luck: Chance): Promise<void> {
  const { marketplace, erp } = stage;
  erp.control.seed(6, luck.whole(1, 1_000));
  for (const { sku } of erp.control.state().products) erp.control.setStock(sku, String(luck.whole(20, 200)));
  const buyers = ['NV', 'CA', 'OR'].map((state) => marketplace.addCustomer({ name: `Shop in ${state}`, state }));
  const app = await stage.start();
  const hook = (kind: 'orders' | 'products') => `${app.receiverUrl}/webhooks/main/${kind}`;
  marketplace.webhooks.setTargets([
    { url: hook('orders'), types: ['order'], secret: WEBHOOK_SECRET },
    { url: hook('products'), types: ['product'], secret: WEBHOOK_SECRET },
  ]);
  for (let step = 0; step < STEPS; step += 1) {
    try {
      await act(stage, luck, buyers);
    } catch (error) {
      // People also try things that are refused.
      if ((error as Error).constructor.name !== 'Refusal') throw error;
    }
    await sleep(luck.whole(0, 40));
  }
}

async function act(stage: Stage, luck: Chance, buyers: readonly number[]): Promise<void> {
  const { marketplace, erp } = stage;
  const listing = () => luck.pick(marketplace.activeProductIds());
  const order = () => luck.pick(marketplace.orders());
  // Orders that were made in the ERP are edited in the ERP.
  const ours = () => {
    const made = erp.control
      .state()
      .orders.filter(({ origin }) => origin === 'erp')
      .map(({ id }) => id);
    return luck.pick(
      marketplace
        .orders()
        .filter(
          ({ lines, externalId }) => !made.includes(externalId ?? '') && lines.every((line) => line.salePrice === null),
        ),
    );
  };
  const product = () => luck.pick(erp.control.state().products);
  const erpOrder = () => luck.pick(erp.control.state().orders);
  const deeds: (() => unknown)[] = [
    () =>
      marketplace.placeOrder({
        customer: luck.pick(buyers) ?? 0,
        items: [{ product: listing() ?? 0, quantity: String(luck.whole(1, 9)) }],
      }),
    () =>
      marketplace.placeOrder({
        customer: luck.pick(buyers) ?? 0,
        items: [
          { product: listing() ?? 0, quantity: '2' },
          { product: listing() ?? 0, quantity: '1.5' },
        ],
      }),
    () => marketplace.editLine(ours()?.lines[0]?.id ?? 0, { quantity: String(luck.whole(1, 12)) }),
    () => marketplace.addLine(ours()?.number ?? '', { product: listing() ?? 0, quantity: '1' }),
    () => marketplace.editOrder(ours()?.number ?? '', { discount_amount: `${luck.whole(0, 3)}.50` }),
    () => marketplace.cancel(order()?.number ?? ''),
    () =>
      marketplace.transition(order()?.number ?? '', luck.pick(['accept', 'accept', 'fulfill', 'reject', 'ship']) ?? ''),
    () => erp.control.shipOrder(erpOrder()?.id ?? ''),
    () => erp.control.setStock(product()?.sku ?? '', String(luck.whole(0, 200))),
    () => erp.control.setProduct(product()?.sku ?? '', { active: luck.whole(0, 3) > 0 }),
    () => erp.control.setProduct(product()?.sku ?? '', { name: `Renamed ${luck.whole(1, 99)}` }),
    () =>
      erp.control.createOrder({
        customer: { marketplace_id: luck.pick(buyers) ?? 0 },
        lines: [{ sku: product()?.sku ?? '', quantity: '1', unit_price: '2.00' }],
      }),
    () =>
      marketplace.faults.set(
        luck.pick([
          { kind: 'reset-after', times: 1 },
          { kind: 'reset-before', times: 1 },
          { kind: 'status-after', status: 502, times: 1 },
          { kind: 'status-before', status: 503, times: 2 },
          { kind: 'truncate-body', times: 1 },
          { kind: 'rate-limit', retryAfterSeconds: 1, times: 1 },
          { kind: 'late-rows', entity: 'orders', lists: 2, times: 1 },
          { kind: 'webhook-lost', times: 3 },
          { kind: 'webhook-doubled', times: 2 },
          { kind: 'delay-after', ms: 2_000, times: 1 },
        ] as const) as never,
      ),
    () =>
      erp.control.inject(
        luck.pick([
          { kind: 'lose-answer' },
          { kind: 'reset' },
          { kind: 'status', status: 500 },
          { kind: 'status', status: 502, applied: true },
          { kind: 'truncate' },
          { kind: 'slow-answer', delayMs: 2_000 },
          { kind: 'incomplete', path: '/v1/products' },
          { kind: 'empty', path: '/v1/products' },
        ] as const) as never,
      ),
    () => stage.app().core.redis.flushall(),
  ];
  await luck.pick(deeds)?.();
}
