import { CallFailure, type FailureKind } from '../../domain/failure.ts';
import type { ErpConnector, ErpOrder, ErpPage, StockRow } from '../connector.ts';
import { notSent } from '../failure.ts';
import { checkSkus, stockPurpose } from '../rows/asked-skus.ts';
import { changeBody } from '../rows/bodies.ts';
import { CUSTOMERS, FINDS, ORDERS, PAYMENTS, PRODUCTS, type RecordKind, searchFor } from '../rows/kinds.ts';
import { isInvalidText, isInvalidValue, isPlain } from './failures.ts';
import { findIn, listPages, type Page } from './lists.ts';
import type { Plan } from './plan.ts';
import { createRecord, findRecords, found, type Records, readBackAndCommit, reading, recordsIn } from './records.ts';
import { inSession, type Purpose, type Session, type Sessions } from './session.ts';
import { runSteps } from './writes.ts';

/**
 * The connector for a database. A list is read in one snapshot. A write is one transaction that reads the record back
 * before it commits, and rolls back if the record does not fit. Every failure is a `CallFailure`.
 */
export function createSqlErp(sessions: Sessions, plan: Plan): ErpConnector {
  const { lots, notices } = plan;
  const products = callsOf(sessions, PRODUCTS, plan.products);
  const customers = callsOf(sessions, CUSTOMERS, plan.customers);
  const payments = callsOf(sessions, PAYMENTS, plan.payments);
  return {
    ping(signal) {
      const what = { operation: 'ping', purpose: 'say who it is', kind: 'read' } as const;
      return inSession(sessions, what, async ({ server, asOf }) => pongOf(server, asOf), signal);
    },
    listProducts: products.list,
    listStock: (since, signal) => listPages(sessions, plan.stock, since, signal),
    ...(lots && { listLots: (since, signal) => listPages(sessions, lots, since, signal) }),
    readStock: (skus, signal) => readStock(sessions, plan, skus, signal),
    ...(plan.products.find && plan.products.create
      ? { findProducts: products.find, createProduct: products.create }
      : {}),
    ...ordersOf(sessions, plan),
    ...(plan.customers.list && { listCustomers: customers.list }),
    findCustomers: customers.find,
    createCustomer: customers.create,
    listPayments: payments.list,
    findPayments: payments.find,
    createPayment: payments.create,
    prepareWrites: (signal) => prepareWrites(sessions, plan, signal),
    notices,
    close: () => sessions.database.close(),
  };
}

/** Failures that say nothing about a statement. */
const OF_DATABASE: readonly FailureKind[] = ['unavailable', 'credentials', 'rate-limited'];

/** The database's objections to the write statements. Each has its own transaction, since an error ends it. */
async function prepareWrites(sessions: Sessions, plan: Plan, signal: AbortSignal | undefined): Promise<string[]> {
  const { products, orders, customers, payments, orderUpdate } = plan;
  const creates = [products, orders, customers, payments].flatMap(({ create }) => create ?? []);
  // MariaDB rejects a writing statement in a read-only transaction. Nothing is run, and all is rolled back.
  const kind = sessions.database.dialect === 'mysql' ? 'write' : 'read';
  const problems: string[] = [];
  for (const step of [...creates, ...orderUpdate]) {
    const what: Purpose = { operation: 'prepare writes', purpose: 'read a statement without running it', kind };
    try {
      await inSession(sessions, what, (session) => session.prepare(step), signal);
    } catch (error) {
      if (!(error instanceof CallFailure) || OF_DATABASE.includes(error.kind)) throw error;
      problems.push(error.message);
    }
  }
  return problems;
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
  const read = (some: readonly string[]) =>
    found(sessions, reading(stockBySku, stockPurpose(some)), { skus: some }, signal, async (session) =>
      findIn(session, stock, stockBySku, { skus: some }),
    );
  const page = (await read(skus)) ?? joined(await eachApart(skus, read));
  return {
    ...page,
    items: page.items.filter(({ sku }) => skus.includes(sku)),
    invalidRows: page.invalidRows.filter(({ sku }) => sku === null || skus.includes(sku)),
    complete: page.invalidRows.every(({ id }) => id !== null),
  };
}

/** SKUs with special characters are read one by one, so that one that no column can hold hides no other. */
async function eachApart<T>(
  skus: readonly string[],
  read: (skus: readonly string[]) => Promise<T | null>,
): Promise<T[]> {
  const { plain = [], other = [] } = Object.groupBy(skus, (sku) => (isPlain(sku) ? 'plain' : 'other'));
  const pages: (T | null)[] = [];
  for (const some of [plain, ...other.map((sku) => [sku])]) pages.push(await read(some));
  return pages.filter((page) => page !== null);
}

function joined<T>(pages: readonly Page<T>[]): Page<T> {
  const [first] = pages;
  if (first === undefined) throw new Error('the database refuses the plain letters of SKUs');
  return {
    ...first,
    items: pages.flatMap(({ items }) => items),
    invalidRows: pages.flatMap(({ invalidRows }) => invalidRows),
  };
}

type Orders = Pick<ErpConnector, 'listOrders' | 'findOrders' | 'getOrder' | 'createOrder' | 'updateOrder'>;

function ordersOf(sessions: Sessions, plan: Plan): Orders {
  const { orderById, orderUpdate } = plan;
  const orders = callsOf(sessions, ORDERS, plan.orders);
  return {
    listOrders: orders.list,
    findOrders: orders.find,
    createOrder: orders.create,
    getOrder: (id, signal) =>
      inSession(sessions, reading(orderById, `show order ${id}`), (session) => orderIn(session, plan, id), signal),

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

/** null: no such order, also for an id that the column cannot hold. */
async function orderIn(session: Session, { orders, orderById }: Plan, id: string): Promise<ErpOrder | null> {
  const wanted = { given: { id }, fits: (order: ErpOrder) => order.id === id };
  try {
    const [order] = await recordsIn(session, { list: orders.list, find: orderById }, wanted);
    return order ?? null;
  } catch (error) {
    const thrown = session.thrown();
    if (isInvalidValue(thrown) && !(isInvalidText(thrown) && isPlain(id))) return null;
    throw error;
  }
}

/** The calls for one kind of record. A call fails if its list, find or create is missing. */
function callsOf<T extends { readonly id: string }, Draft, Key extends keyof T & keyof Draft>(
  sessions: Sessions,
  kind: RecordKind<T, Draft, Key>,
  { list, find, create }: Partial<Records<T>>,
) {
  const { parameter } = FINDS[kind.find];
  const wanted = (key: Draft[Key], creating?: string) => ({
    ...searchFor(kind, key, creating),
    given: { [parameter]: key as string | number },
  });
  const findable = () => {
    if (list === undefined || find === undefined) throw missing(sessions, `finds.${kind.find}`);
    return { list, find };
  };
  return {
    async *list(since: string | null, signal?: AbortSignal): AsyncGenerator<ErpPage<T>> {
      if (list === undefined) throw missing(sessions, `lists.${kind.list}`);
      yield* listPages(sessions, list, since, signal);
    },
    async find(key: Draft[Key], signal?: AbortSignal): Promise<T[]> {
      return findRecords(sessions, findable(), wanted(key), signal);
    },
    async create(draft: Draft, signal?: AbortSignal): Promise<T> {
      if (create === undefined) throw missing(sessions, `writes.${kind.create}`);
      const how = { ...wanted(draft[kind.key], kind.creating), operation: kind.create };
      return createRecord(sessions, { ...findable(), create }, kind.body(draft), how, signal);
    },
  };
}

function missing({ database }: Sessions, key: string): CallFailure {
  const text = `The database ${database.place} was not asked: the configuration has no erp.${key}.`;
  return notSent(text, 'not-found');
}
