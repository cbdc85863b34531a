import type { AccountConfig } from '../config/resolve.ts';
import { sideOfList } from '../domain/lists.ts';
import { COLLECTION_NAMES, type CollectionName } from '../shadow/collections.ts';
import type { Writer } from '../shadow/context.ts';
import { approvalOutDescriptor } from './approval/descriptor.ts';
import { assignmentsDescriptor } from './assignments/descriptor.ts';
import { batchOutDescriptor } from './batch/descriptor.ts';
import { customerInDescriptor } from './customer/in/descriptor.ts';
import { customerOutDescriptor } from './customer/out/descriptor.ts';
import type { FlowDescriptor } from './descriptor.ts';
import { imagesDescriptor } from './images/descriptor.ts';
import { orderInDescriptor } from './order/in/descriptor.ts';
import { orderOutDescriptor } from './order/out/descriptor.ts';
import { paymentInDescriptor } from './payment/in/descriptor.ts';
import { paymentOutDescriptor } from './payment/out/descriptor.ts';
import { productDescriptor } from './product/descriptor.ts';
import { productInDescriptor } from './product/in/descriptor.ts';
import { stockDescriptor } from './stock/descriptor.ts';
import { facilityStockDescriptor } from './stock/facility/descriptor.ts';
import { transportInDescriptor } from './transport/descriptor.ts';

const TABLE = {
  product: productDescriptor,
  images: imagesDescriptor,
  assignments: assignmentsDescriptor,
  stock: stockDescriptor,
  'facility-stock': facilityStockDescriptor,
  'batch-out': batchOutDescriptor,
  'order-in': orderInDescriptor,
  'product-in': productInDescriptor,
  'order-out': orderOutDescriptor,
  'transport-in': transportInDescriptor,
  'approval-out': approvalOutDescriptor,
  'payment-in': paymentInDescriptor,
  'payment-out': paymentOutDescriptor,
  'customer-out': customerOutDescriptor,
  'customer-in': customerInDescriptor,
} satisfies Record<string, FlowDescriptor>;

export type FlowName = keyof typeof TABLE;

/** All flows, in the order of a pass. Every list of flows derives from this table. */
export const FLOWS: Readonly<Record<FlowName, FlowDescriptor>> = TABLE;

export const FLOW_NAMES = Object.keys(FLOWS) as readonly FlowName[];

export function isFlow(name: string): name is FlowName {
  return Object.hasOwn(FLOWS, name);
}

export function descriptorOf(flow: string): FlowDescriptor {
  if (isFlow(flow)) return FLOWS[flow];
  throw new Error(`invariant: ${flow} is a flow`);
}

/** The flows that write to marketplace entities of this kind, linked or not. */
function writersOf(links: 'order' | 'product'): Writer[] {
  const writers = FLOW_NAMES.filter(
    (flow) => FLOWS[flow].links === links && FLOWS[flow].writes.marketplace !== undefined,
  );
  return writers.map((flow) => ({ flow, keyedBy: sideOfList(FLOWS[flow].keys) }));
}

/** Flows whose writes may cause webhooks of each kind. */
export const WRITERS = { orders: writersOf('order'), products: writersOf('product') };

export function flowsOn(account: AccountConfig): FlowName[] {
  return FLOW_NAMES.filter((flow) => FLOWS[flow].isOn(account));
}

/** The lists that the account's flows need, in reading order. */
export function collectionsRead(account: AccountConfig): CollectionName[] {
  const needed = new Set(flowsOn(account).flatMap((flow) => FLOWS[flow].reads(account)));
  return COLLECTION_NAMES.filter((name) => needed.has(name));
}
