import { expect, onTestFinished } from 'vitest';
import { disagreements } from '../support/agreement.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/** The program as it is installed, between two sides, with its private Redis. */
export interface Running {
  readonly stage: Stage;
  readonly daemon: Daemon;
  /** The process id of the private redis-server that was started last. */
  redisPid(): number;
  redisSocket(): string;
  /** Places so many orders, of one unit each. */
  order(times: number): void;
  /** Waits until this many orders are in the ERP and the marketplace knows it. */
  exported(count: number): Promise<void>;
  /** Waits until /readyz gives this reason. */
  says(reason: RegExp): Promise<void>;
  ready(): Promise<void>;
  /** Waits until both sides agree, nothing was made twice, nothing is left to do and nothing failed. */
  inStep(orders: number): Promise<void>;
}

const PRODUCTS = 3;
/** @param timeout the longest time of a call; a request that may have been sent is waited for twice as long */
export async function startRunning({ timeout = '5s' } = {}): Promise<Running> {
  const stage = await openStage({ timeout });
  stage.erp.control.seed(PRODUCTS);
  for (const { sku } of stage.erp.control.state().products) stage.erp.control.setStock(sku, '1000');
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const daemon = startDaemon(stage.configFile);
  onTestFinished(async () => {
    if (daemon.process.exitCode === null && daemon.process.signalCode === null) await daemon.terminate();
  });
  const adminUrl = await until('the admin server listens', () => /"admin\.listen":"([^"]+)"/.exec(daemon.log())?.[1]);
  const readiness = async () => {
    const answer = await fetch(`${adminUrl}/readyz`);
    return (await answer.json()) as { ready: boolean; reasons: string[] };
  };
  const exportedOrders = () => stage.marketplace.orders().filter(({ externalId }) => externalId !== null).length;
  let product = 0;
  const running: Running = {
    stage,
    daemon,
    redisPid: () => Number([...daemon.log().matchAll(/"kind":"started","pid":(\d+)/g)].at(-1)?.[1]),
    redisSocket: () => `${stage.dir}/data/redis.sock`,
    order(times) {
      for (let n = 0; n < times; n += 1) {
        product = (product % PRODUCTS) + 1;
        stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '1' }] });
      }
    },
    exported: (count) => until(`${count} orders are exported`, () => exportedOrders() >= count).then(() => {}),
    says: (reason) =>
      until(`/readyz says ${String(reason)}`, async () =>
        (await readiness()).reasons.some((told) => reason.test(told)),
      ).then(() => {}),
    ready: () => until('it is ready', async () => (await readiness()).ready).then(() => {}),
    async inStep(orders) {
      await running.ready();
      await running.exported(orders);
      await until('both sides agree', () => disagreements(stage, 'b').length === 0);
      expect(await daemon.terminate()).toBe(0);
      expect(await stage.sync()).toMatchObject({ written: 0, pending: 0, held: 0, failed: 0 });
      expect(disagreements(stage, 'b')).toEqual([]);
      expect(stage.erp.control.state().orders).toHaveLength(orders);
      expect(stage.marketplace.products()).toHaveLength(PRODUCTS);
    },
  };
  await running.ready();
  await until('both sides agree', () => disagreements(stage, 'b').length === 0);
  return running;
}
