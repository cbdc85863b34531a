import { describe, expect, onTestFinished, test } from 'vitest';
import { handleJob } from '../../src/daemon/worker/handle.ts';
import { createHealth } from '../../src/daemon/worker/health.ts';
import { approvalFlow } from '../../src/flows/approval/flow.ts';
import { assignmentsFlow } from '../../src/flows/assignments/flow.ts';
import { batchFlow } from '../../src/flows/batch/flow.ts';
import { customerInFlow } from '../../src/flows/customer/in/flow.ts';
import { customerOutFlow } from '../../src/flows/customer/out/flow.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { act, inSync } from '../../src/flows/engine/decision.ts';
import { waitingWrites } from '../../src/flows/engine/waiting-writes.ts';
import { FLOW_NAMES, FLOWS, type FlowName } from '../../src/flows/flows.ts';
import { imagesFlow } from '../../src/flows/images/flow.ts';
import { orderInFlow } from '../../src/flows/order/in/flow.ts';
import { orderOutFlow } from '../../src/flows/order/out/flow.ts';
import { paymentInFlow } from '../../src/flows/payment/in/flow.ts';
import { paymentOutFlow } from '../../src/flows/payment/out/flow.ts';
import { productFlow } from '../../src/flows/product/flow.ts';
import { productInFlow } from '../../src/flows/product/in/flow.ts';
import { resync } from '../../src/flows/resync.ts';
import { facilityStockFlow } from '../../src/flows/stock/facility/flow.ts';
import { stockFlow } from '../../src/flows/stock/flow.ts';
import { transportFlow } from '../../src/flows/transport/flow.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { COLLECTIONS } from '../../src/shadow/collections.ts';
import type { AccountRecords } from '../../src/shadow/context.ts';
import { useShelf } from '../store/shelf.ts';
import { accountConfig, accountContext } from './account.ts';

/* I19. In each flow, the program fails on one entity. The engine, the passes and the records are real. */

const shelf = useShelf();

const FLOW_OBJECTS: Readonly<Record<FlowName, object>> = {
  product: productFlow,
  images: imagesFlow,
  assignments: assignmentsFlow,
  stock: stockFlow,
  'facility-stock': facilityStockFlow,
  'batch-out': batchFlow,
  'order-in': orderInFlow,
  'product-in': productInFlow,
  'order-out': orderOutFlow,
  'transport-in': transportFlow,
  'approval-out': approvalFlow,
  'customer-out': customerOutFlow,
  'customer-in': customerInFlow,
  'payment-in': paymentInFlow,
  'payment-out': paymentOutFlow,
};
const ACCOUNTS = ['main', 'other'];
/** In the account main, the program fails on three entities of a flow, each in another stage. The fourth is sound. */
const STAGES = ['apply', 'decide', 'observe'];
const KEYS = [...STAGES, 'sound'];

/** Until the end of the test, every flow writes each entity once, and one of them fails. */
function plant(failing: FlowName): void {
  const bite = (flow: FlowName, stage: string, account: string, key: string) => {
    if (account === 'main' && flow === failing && key === stage) throw new TypeError(`planted in ${flow}`);
  };
  for (const flow of FLOW_NAMES) {
    const action = { action: `${flow}.write`, before: null, after: '1', why: 'it is not there yet' };
    replace(FLOWS[flow], { isOn: () => true });
    replace(COLLECTIONS[FLOWS[flow].keys], {
      keys: () => async (_: string, after: string) => KEYS.filter((key) => key > after),
    });
    replace(FLOW_OBJECTS[flow], {
      observeFresh: undefined,
      remember: undefined,
      async observe({ account, store }: AccountRecords, key: string) {
        bite(flow, 'observe', account, key);
        return { account, key, isDone: (await store.facts.get(account, doneBy(flow, key))) !== null };
      },
      decide({ account, key, isDone }: { account: string; key: string; isDone: boolean }) {
        bite(flow, 'decide', account, key);
        return isDone ? inSync() : act([{ ...action, target: key }]);
      },
      async apply({ account, store }: AccountRecords, { key }: { key: string }) {
        bite(flow, 'apply', account, key);
        await store.facts.set(account, doneBy(flow, key), 'yes');
        return { outcome: 'written', answer: 'ok' };
      },
    });
  }
}

function doneBy(flow: FlowName, key: string): string {
  return `written:${flow}/${key}`;
}

function replace(target: object, by: object): void {
  const before = { ...target };
  Object.assign(target, by);
  onTestFinished(() => {
    Object.assign(target, Object.fromEntries(Object.keys(by).map((name) => [name, undefined])), before);
  });
}

/** Works until nothing is due. */
async function work(contexts: readonly AccountContext[]): Promise<void> {
  const handling = {
    accounts: new Map(contexts.map((context) => [context.account, context])),
    dryRun: false,
    health: createHealth(Date.now),
    log: createLogger({ level: 'silent', secrets: [] }),
    ended: () => {},
    onResult: () => {},
  };
  const attempt = { signal: new AbortController().signal, number: 1, isLast: true };
  for (const { account, store } of contexts) {
    for (let due = await store.work.due(account, 100); due.length > 0; due = await store.work.due(account, 100)) {
      for (const { flow: name, key, lane } of due)
        await handleJob(handling, { account, name, key, lane }, attempt).catch(() => {});
    }
  }
}

describe.each(FLOW_NAMES)('I19: an entity of %s on which the program fails', (failing) => {
  test('an entity on which the program fails stops no other entity, flow, account or pass', async () => {
    const { store } = shelf();
    plant(failing);
    const config = accountConfig();
    const contexts = ACCOUNTS.map((name) => accountContext(store, { ...config, name }, { now: Date.now }));
    for (const context of contexts) {
      await resync(context, new AbortController().signal);
      // A brake judges the writes of all entities that wait.
      for (const flow of FLOW_NAMES) await waitingWrites(context, flow);
    }
    await work(contexts);

    const unwritten: string[] = [];
    for (const account of ACCOUNTS)
      for (const flow of FLOW_NAMES)
        for (const key of KEYS)
          if ((await store.facts.get(account, doneBy(flow, key))) === null) unwritten.push(`${account} ${flow} ${key}`);
    expect(unwritten).toEqual(STAGES.map((stage) => `main ${failing} ${stage}`));
    const failed = (await store.work.failed()).map((job) => `${job.account} ${job.flow} ${job.key}: ${job.cause}`);
    expect(failed.toSorted()).toEqual(STAGES.map((stage) => `main ${failing} ${stage}: program-error`));
  });
});
