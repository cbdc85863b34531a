import { type FlowName, isFlow } from '../flows/flows.ts';

/** The flows in the words of people who do not open terminals. */
const TITLES: Readonly<Record<FlowName, string>> = {
  product: 'listings',
  images: 'images',
  assignments: 'who may buy what',
  stock: 'stock',
  'facility-stock': 'stock by facility',
  'batch-out': 'batches',
  'order-in': 'orders into the ERP',
  'product-in': 'products into the ERP',
  'order-out': 'orders onto the marketplace',
  'approval-out': 'verdicts on purchase orders',
  'payment-in': 'payments into the ERP',
  'payment-out': 'payments onto the marketplace',
  'customer-out': 'customers onto the marketplace',
  'customer-in': 'customers into the ERP',
  'transport-in': 'transports into the ERP',
};

/** Each flow with its title. */
export const FLOW_CHOICES: readonly (readonly [string, string])[] = Object.entries(TITLES);

/** The title of a flow; `all` flows are everything. The name of anything else stays as it is. */
export function flowTitle(flow: string): string {
  if (flow === 'all') return 'everything';
  return isFlow(flow) ? TITLES[flow] : flow;
}
