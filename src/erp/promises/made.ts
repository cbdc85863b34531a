import type { ErpConnector, ErpOrder } from '../connector.ts';

/** Records that the checks created and did not take back. */
export interface Made {
  /** Ids of possibly live orders, with their references. */
  readonly orders: Map<string, string>;
  /** References of unanswered creates, whose orders may exist. */
  readonly sent: Set<string>;
  /** Records that stay, as a person finds them: `customer C-000004`. */
  readonly lasting: string[];
}

export interface LeftBehind {
  readonly what: string;
  readonly because: string;
}

export function noRecords(): Made {
  return { orders: new Map(), sent: new Set(), lasting: [] };
}

/** The connection, ended by `signal`. It notes each order before the create, and other records after it. */
export function trackingCreates(erp: ErpConnector, made: Made, signal: AbortSignal): ErpConnector {
  const note = (order: ErpOrder): ErpOrder => {
    made.sent.delete(order.reference);
    if (order.status === 'cancelled') made.orders.delete(order.id);
    else made.orders.set(order.id, order.reference);
    return order;
  };
  const { listLots, listCustomers, findProducts, createProduct } = erp;
  return {
    ping: (stop = signal) => erp.ping(stop),
    listProducts: (since, stop = signal) => erp.listProducts(since, stop),
    listStock: (since, stop = signal) => erp.listStock(since, stop),
    readStock: (skus, stop = signal) => erp.readStock(skus, stop),
    listOrders: (since, stop = signal) => erp.listOrders(since, stop),
    findOrders: (reference, stop = signal) => erp.findOrders(reference, stop),
    getOrder: (id, stop = signal) => erp.getOrder(id, stop),
    findCustomers: (id, stop = signal) => erp.findCustomers(id, stop),
    listPayments: (since, stop = signal) => erp.listPayments(since, stop),
    findPayments: (id, stop = signal) => erp.findPayments(id, stop),
    ...(listLots && { listLots: (since, stop = signal) => listLots(since, stop) }),
    ...(findProducts && { findProducts: (sku, stop = signal) => findProducts(sku, stop) }),
    ...(createProduct && {
      async createProduct(draft, stop = signal) {
        const product = await createProduct(draft, stop);
        made.lasting.push(`product ${product.id}`);
        return product;
      },
    }),
    ...(listCustomers && { listCustomers: (since, stop = signal) => listCustomers(since, stop) }),
    async createOrder(draft, stop = signal) {
      if (!stop.aborted) made.sent.add(draft.reference);
      return note(await erp.createOrder(draft, stop));
    },
    updateOrder: async (id, change, stop = signal) => note(await erp.updateOrder(id, change, stop)),
    async createCustomer(draft, stop = signal) {
      const customer = await erp.createCustomer(draft, stop);
      made.lasting.push(`customer ${customer.id}`);
      return customer;
    },
    async createPayment(draft, stop = signal) {
      const payment = await erp.createPayment(draft, stop);
      made.lasting.push(`payment ${payment.id}`);
      return payment;
    },
    ...(erp.prepareWrites && { prepareWrites: (stop = signal) => erp.prepareWrites?.(stop) ?? Promise.resolve([]) }),
    ...(erp.notices && { notices: erp.notices }),
    close: () => erp.close(),
  };
}

/**
 * Cancels every noted order. It returns those that it could not cancel, and keeps them noted.
 * @param erp the plain connection, or the one from `trackingCreates`
 */
export async function cleanUp(erp: ErpConnector, made: Made, signal: AbortSignal): Promise<LeftBehind[]> {
  const left: LeftBehind[] = made.lasting.map((what) => ({ what, because: 'no connection takes it back' }));
  for (const reference of Array.from(made.sent)) {
    try {
      for (const order of await erp.findOrders(reference, signal)) {
        if (order.status !== 'cancelled') made.orders.set(order.id, reference);
      }
      made.sent.delete(reference);
    } catch (error) {
      left.push({ what: `an order with reference ${reference}, if it was made`, because: messageOf(error) });
    }
  }
  for (const [id, reference] of Array.from(made.orders)) {
    const what = `order ${id} with reference ${reference}`;
    try {
      const { status } = await erp.updateOrder(id, { status: 'cancelled' }, signal);
      if (status === 'cancelled') made.orders.delete(id);
      else left.push({ what, because: `it is still ${status} after it was cancelled` });
    } catch (error) {
      left.push({ what, because: messageOf(error) });
    }
  }
  return left;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
