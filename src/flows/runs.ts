import type { Look } from '../shadow/context.ts';
import { approvalFlow } from './approval/flow.ts';
import { assignmentsFlow } from './assignments/flow.ts';
import { batchFlow } from './batch/flow.ts';
import { customerInFlow } from './customer/in/flow.ts';
import { customerOutFlow } from './customer/out/flow.ts';
import type { AccountContext } from './engine/context.ts';
import { inSync } from './engine/decision.ts';
import { type FlowRun, runOf } from './engine/run.ts';
import { FLOWS, type FlowName } from './flows.ts';
import { imagesFlow } from './images/flow.ts';
import { orderInFlow } from './order/in/flow.ts';
import { orderOutFlow } from './order/out/flow.ts';
import { orderOfPayment, paymentInFlow } from './payment/in/flow.ts';
import { orderOfErpPayment, paymentOutFlow } from './payment/out/flow.ts';
import { productFlow } from './product/flow.ts';
import { productInFlow } from './product/in/flow.ts';
import { facilityStockFlow } from './stock/facility/flow.ts';
import { stockFlow } from './stock/flow.ts';
import { transportFlow } from './transport/flow.ts';

/** Every flow by its name. */
export const FLOW_RUNS: Readonly<Record<FlowName, FlowRun>> = {
  product: productRun(),
  images: runOf(imagesFlow),
  assignments: runOf(assignmentsFlow),
  stock: stockRun(),
  'facility-stock': aloneWithTransitions(runOf(facilityStockFlow)),
  'batch-out': runOf(batchFlow),
  'order-in': orderRun(),
  'product-in': runOf(productInFlow),
  'order-out': runOf(orderOutFlow),
  'transport-in': runOf(transportFlow),
  'approval-out': runOf(approvalFlow),
  'customer-out': runOf(customerOutFlow),
  'customer-in': runOf(customerInFlow),
  'payment-in': paymentRun(runOf(paymentInFlow), orderOfPayment),
  'payment-out': paymentRun(runOf(paymentOutFlow), orderOfErpPayment),
};

/**
 * A change of a product may change its images and its assignments. Both are looked at when its listing is in step. A listing
 * that comes back from the archive is listed with its stock.
 */
function productRun(): FlowRun {
  const run = runOf(productFlow);
  return {
    plan: run.plan,
    async reconcile(context, look, policy) {
      const result = await run.reconcile(context, look, policy);
      const { account, config, store } = context;
      const after = (['images', 'assignments'] as const).filter((flow) => FLOWS[flow].isOn(config));
      if (after.length > 0 && result.state === 'in-sync') {
        const targets = after.map((flow) => ({ account, flow, key: look.key }));
        await store.work.mark(targets, look.lane, 'its product was seen');
      }
      const comesBack = result.state === 'held' && result.causes.some(({ code }) => code === 'comes-back-with-stock');
      if (comesBack) await markStock(context, look);
      return result;
    },
  };
}

/** A product that the ERP does not know is made there before its order. */
function orderRun(): FlowRun {
  const run = runOf(orderInFlow);
  return {
    plan: run.plan,
    async reconcile(context, look, policy) {
      const result = await run.reconcile(context, look, policy);
      const causes = result.state === 'held' ? result.causes : [];
      const keys = causes.flatMap((one) => (one.code === 'product-made-first' ? [String(one.params.product)] : []));
      const targets = keys.map((key) => ({ account: context.account, flow: 'product-in', key }));
      if (targets.length > 0) await context.store.work.mark(targets, look.lane, `order ${look.key} needs it`);
      return result;
    },
  };
}

/** A key that waits, is held or has failed in the flow of its stock stays with that flow. */
async function markStock({ account, config, store }: AccountContext, { key, lane }: Look): Promise<void> {
  const flow = config.facilities === null ? 'stock' : 'facility-stock';
  if ((await store.work.get({ account, flow, key })) !== null) return;
  await store.work.mark([{ account, flow: 'stock', key }], lane, 'its listing comes back');
}

/**
 * Payments of one order are looked at one after the other: two equal payments can be told apart only by the links that exist
 * already.
 */
function paymentRun(run: FlowRun, orderOf: (context: AccountContext, key: string) => Promise<string>): FlowRun {
  return {
    plan: run.plan,
    async reconcile(context, look, policy) {
      const order = await orderOf(context, look.key);
      return context.exclusively([`payments of ${order}`], () => run.reconcile(context, look, policy));
    },
  };
}

/**
 * Where stock is kept by facility, a key that is marked for stock is handed to facility-stock. Only one of the two flows
 * writes.
 */
function stockRun(): FlowRun {
  const run = aloneWithTransitions(runOf(stockFlow));
  return {
    plan: async (context, key) => (context.config.facilities === null ? run.plan(context, key) : inSync()),
    async reconcile(context, look, policy) {
      const { account, config, store } = context;
      if (config.facilities === null) return run.reconcile(context, look, policy);
      const row = await store.work.get({ account, flow: 'stock', key: look.key });
      const target = { account, flow: 'facility-stock', key: look.key };
      await store.work.mark([target], look.lane, row?.reason ?? 'stock moved');
      return { state: 'in-sync', written: 0, lookAgainMs: null };
    },
  };
}

/** Stock writes of a product exclude transitions of its orders, from the look to the answer. */
function aloneWithTransitions(run: FlowRun): FlowRun {
  return {
    plan: run.plan,
    reconcile: (context, look, policy) => context.exclusively([look.key], () => run.reconcile(context, look, policy)),
  };
}
