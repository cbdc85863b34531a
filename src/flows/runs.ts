import { approvalFlow } from './approval/flow.ts';
import { assignmentsFlow } from './assignments/flow.ts';
import { batchFlow } from './batch/flow.ts';
import { customerInFlow } from './customer/in/flow.ts';
import { customerOutFlow } from './customer/out/flow.ts';
import { type FlowRun, runOf } from './engine/run.ts';
import type { FlowName } from './flows.ts';
import { imagesFlow } from './images/flow.ts';
import { orderInFlow } from './order/in/flow.ts';
import { orderOutFlow } from './order/out/flow.ts';
import { paymentInFlow } from './payment/in/flow.ts';
import { paymentOutFlow } from './payment/out/flow.ts';
import { productFlow } from './product/flow.ts';
import { productInFlow } from './product/in/flow.ts';
import { facilityStockFlow } from './stock/facility/flow.ts';
import { stockFlow } from './stock/flow.ts';
import { transportFlow } from './transport/flow.ts';

export const FLOW_RUNS: Readonly<Record<FlowName, FlowRun>> = {
  product: runOf(productFlow),
  images: runOf(imagesFlow),
  assignments: runOf(assignmentsFlow),
  stock: runOf(stockFlow),
  'facility-stock': runOf(facilityStockFlow),
  'batch-out': runOf(batchFlow),
  'order-in': runOf(orderInFlow),
  'product-in': runOf(productInFlow),
  'order-out': runOf(orderOutFlow),
  'transport-in': runOf(transportFlow),
  'approval-out': runOf(approvalFlow),
  'customer-out': runOf(customerOutFlow),
  'customer-in': runOf(customerInFlow),
  'payment-in': runOf(paymentInFlow),
  'payment-out': runOf(paymentOutFlow),
};
