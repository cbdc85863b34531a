import { CallFailure } from '../../domain/failure.ts';
import type {
  ErpConnector,
  ErpCustomer,
  ErpCustomers,
  ErpLot,
  ErpOrder,
  ErpPage,
  ErpPayment,
  ErpPayments,
  ErpProduct,
  ErpProducts,
  StockRow,
} from '../connector.ts';
import { checkSkus, stockPurpose } from '../rows/asked-skus.ts';
import { changeBody, customerBody, orderBody, paymentBody, productBody } from '../rows/bodies.ts';
import { isNoValue } from './failures.ts';
import { type Find, findIn, type List, listPages } from './lists.ts';
import { createRecord, findRecords, type Records, readBackAndCommit, reading, recordsIn } from './records.ts';
import { inSession, type Purpose, type Session, type Sessions } from './session.ts';
import { runSteps, type Step } from './writes.ts';

/** The statements of a configuration. null means that the database has no such records. */
export interface Plan extends Required<Pick<ErpConnector, 'alwaysWhole'>> {
  readonly products: List<ErpProduct>;
  readonly stock: List<StockRow>;
  readonly stockBySku: Find;
  readonly lots: List<ErpLot> | null;
  readonly orders: Records<ErpOrder>;
  readonly orderById: Find;
  readonly orderUpdate: readonly Step[];
  /** null: the bridge creates no products. */
  readonly newProducts: Records<ErpProduct> | null;
  /** Without `find`, customers are only listed. Without `create`, none is created. */
  readonly customers: Some<ErpCustomer>;
  readonly payments: Some<ErpPayment>;
}

/**
 * The connector for a database. Each list is read in one snapshot. A write is one transaction, which reads the record back before
 * it commits, and rolls back when the record does not fit. Every failure is a `CallFailure`.
 */
export function createSqlErp(sessions: Sessions, plan: Plan): ErpConnector {
  const { lots } = plan;
  return {
    ping(signal) {
      const what = { operation: 'ping', purpose: 'say who it is', kind: 'read' } as const;
      return inSession(sessions, what, async ({ server, asOf }) => pongOf(server, asOf), signal);
    },
    listProducts: (since, signal) => listPages(sessions, plan.products, since, signal),
    listStock: (since, signal) => listPages(sessions, plan.stock, since, signal),
    ...(lots === null ? {} : { listLots: (since, signal) => listPages(sessions, lots, since, signal) }),
    readStock: (skus, signal) => readStock(sessions, plan, skus, signal),
    ...productsOf(sessions, plan),
    ...ordersOf(sessions, plan),
    ...customersOf(sessions, plan),
    ...paymentsOf(sessions, plan),
    alwaysWhole: plan.alwaysWhole,
    close: () => sessions.database.close(),
  };
}

function pongOf(server: string, time: string) {
  const [name = '', version = ''] = server.split(' ');
  return { name, version, time };
}

async function readStock(
  sessions: Sessions,
  { stock, stockBySku }: Plan,
  skus: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ErpPage<StockRow>> {
  checkSkus(skus);
  const work = (session: Session) => findIn(session, stock, stockBySku, { skus });
  const page = await inSession(sessions, reading(stockBySku, stockPurpose(skus)), work, signal);
  return {
    ...page,
    items: page.items.filter(({ sku }) => skus.includes(sku)),
    misfits: page.misfits.filter(({ sku }) => sku === null || skus.includes(sku)),
    complete: page.misfits.every(({ id }) => id !== null),
  };
}

function productsOf(sessions: Sessions, { newProducts }: Plan): ErpProducts {
  if (newProducts === null) return {};
  const by = (sku: string, purpose: string) => ({
    purpose: `${purpose} with SKU ${sku}`,
    given: { sku },
    fits: (product: ErpProduct) => product.sku === sku,
  });
  return {
    findProducts: (sku, signal) => findRecords(sessions, newProducts, by(sku, 'find the products'), signal),
    async createProduct(draft, signal) {
      const wanted = { ...by(draft.sku, 'create the product'), operation: 'product-create' };
      return createRecord(sessions, newProducts, productBody(draft), wanted, signal);
    },
  };
}

type Orders = Pick<ErpConnector, 'listOrders' | 'findOrders' | 'getOrder' | 'createOrder' | 'updateOrder'>;

function ordersOf(sessions: Sessions, plan: Plan): Orders {
  const { orders, orderById, orderUpdate } = plan;
  const by = (reference: string, purpose: string) => ({
    purpose: `${purpose} with reference ${reference}`,
    given: { reference },
    fits: (order: ErpOrder) => order.reference === reference,
  });
  return {
    listOrders: (since, signal) => listPages(sessions, orders.list, since, signal),
    findOrders: (reference, signal) => findRecords(sessions, orders, by(reference, 'find the orders'), signal),
    getOrder: (id, signal) =>
      inSession(sessions, reading(orderById, `show order ${id}`), (session) => orderIn(session, plan, id), signal),

    createOrder(draft, signal) {
      const wanted = { ...by(draft.reference, 'create the order'), operation: 'order-create' };
      return createRecord(sessions, orders, orderBody(draft), wanted, signal);
    },

    updateOrder(id, change, signal) {
      const work = async (session: Session): Promise<ErpOrder> => {
        const before = await orderIn(session, plan, id);
        if (before === null) throw session.refuse('not-found', `The database has no order ${id}.`);
        await runSteps(session, orderUpdate, { id, ...changeBody(change) });
        return readBackAndCommit(session, () => orderIn(session, plan, id));
      };
      const what: Purpose = { operation: 'order-update', purpose: `change order ${id}`, kind: 'write' };
      return inSession(sessions, what, work, signal);
    },
  };
}

/** null when the database has no such order. No order has an id that its column cannot hold. */
async function orderIn(session: Session, { orders, orderById }: Plan, id: string): Promise<ErpOrder | null> {
  const wanted = { given: { id }, fits: (order: ErpOrder) => order.id === id };
  try {
    const [order] = await recordsIn(session, { list: orders.list, find: orderById }, wanted);
    return order ?? null;
  } catch (error) {
    if (isNoValue(session.thrown())) return null;
    throw error;
  }
}

function customersOf(sessions: Sessions, { customers }: Plan): ErpCustomers {
  const by = (id: number, purpose: string) => ({
    purpose: `${purpose} with marketplace id ${id}`,
    given: { marketplace_id: id },
    fits: (customer: ErpCustomer) => customer.marketplaceId === id,
  });
  const list = customers?.list;
  return {
    ...(list === undefined ? {} : { listCustomers: (since, signal) => listPages(sessions, list, since, signal) }),
    async findCustomers(id, signal) {
      const records = withFind(sessions, customers, 'customers');
      return findRecords(sessions, records, by(id, 'find the customers'), signal);
    },
    async createCustomer(draft, signal) {
      const wanted = { ...by(draft.marketplaceId, 'create the customer'), operation: 'customer-create' };
      return createRecord(sessions, withCreate(sessions, customers, 'customer'), customerBody(draft), wanted, signal);
    },
  };
}

function paymentsOf(sessions: Sessions, { payments }: Plan): ErpPayments {
  const by = (id: string, purpose: string) => ({
    purpose: `${purpose} with marketplace id ${id}`,
    given: { marketplace_id: id },
    fits: (payment: ErpPayment) => payment.marketplaceId === id,
  });
  return {
    async *listPayments(since, signal) {
      if (payments === null) throw missing(sessions, 'lists.payments');
      yield* listPages(sessions, payments.list, since, signal);
    },
    async findPayments(id, signal) {
      return findRecords(sessions, withFind(sessions, payments, 'payments'), by(id, 'find the payments'), signal);
    },
    async createPayment(draft, signal) {
      const wanted = { ...by(draft.marketplaceId, 'record the payment'), operation: 'payment-create' };
      return createRecord(sessions, withCreate(sessions, payments, 'payment'), paymentBody(draft), wanted, signal);
    },
  };
}

type Some<T> = (Pick<Records<T>, 'list'> & Partial<Records<T>>) | null;

function withFind<T>(sessions: Sessions, records: Some<T>, name: string): Pick<Records<T>, 'list' | 'find'> {
  const { list, find } = records ?? {};
  if (list === undefined || find === undefined) throw missing(sessions, `finds.${name}-by-marketplace-id`);
  return { list, find };
}

function withCreate<T>(sessions: Sessions, records: Some<T>, name: string): Records<T> {
  const { create } = records ?? {};
  if (create === undefined) throw missing(sessions, `writes.${name}-create`);
  return { ...withFind(sessions, records, `${name}s`), create };
}

function missing({ database }: Sessions, key: string): CallFailure {
  const text = `The database ${database.place} was not asked: the configuration has no erp.${key}.`;
  return new CallFailure(text, { side: 'erp', kind: 'not-found', outcome: 'not-applied' });
}
