import { CallFailure } from '../../domain/failure.ts';
import { compileExpression } from '../../expressions/expression.ts';
import { firstIssue } from '../../http/issues.ts';
import { servedAt } from '../../http/retry-after.ts';
import { type ErpConnector, type ErpPayments, type ErpPing, type ErpProducts, noticed } from '../connector.ts';
import { customerRow } from '../rows/customers.ts';
import { CUSTOMERS, PAYMENTS, PRODUCTS } from '../rows/kinds.ts';
import { lotRow, paymentRow, pingAnswer, productRow, stockRow } from '../rows/rows.ts';
import { withoutFuture } from '../rows/times.ts';
import { type CallerParts, createCaller } from './caller.ts';
import { type Compiled, compiled, findOf, listing, missing, noSuch, recordsOf } from './compiled.ts';
import type { Words } from './failures.ts';
import { ordersOf } from './orders.ts';
import { compileRequest } from './request.ts';
import { compileRules } from './rules.ts';
import type { Description, ListSection } from './schema.ts';
import { sectionOf } from './sections.ts';
import { readStock } from './stock.ts';
import { compileTemplate } from './template.ts';
import { ALWAYS } from './texts.ts';

export interface RestErpOptions
  extends Omit<CallerParts, 'judge' | 'given' | 'headers' | 'limits' | 'most' | 'auth' | 'words'> {
  readonly description: Description;
  /** The words of messages. The default is about a description. */
  readonly words?: Words;
}

const WORDS: Words = {
  fits: 'its description',
  mend: "Correct the ERP's answer, or its description.",
  credentials: 'Check the credentials below erp of this account.',
  right: 'Give the credentials of this account that right.',
};

/**
 * The connector for a description. It repeats no write, and every failure is a `CallFailure`. A row that does not fit
 * becomes an invalid row.
 * @throws ExpressionError for an invalid expression
 */
export function createRestErp({ description, words = WORDS, ...parts }: RestErpOptions): ErpConnector {
  const { errors = [], limits, auth, headers = {}, settings = {} } = description;
  const caller = createCaller({
    ...parts,
    words,
    auth: auth ?? { scheme: 'none' },
    headers: compileTemplate(headers, ALWAYS),
    limits:
      limits === undefined ? null : { perSecond: limits.per_second ?? null, perMinute: limits.per_minute ?? null },
    most: limits === undefined ? undefined : (limits.concurrent ?? 16),
    mostWrites: limits?.concurrent_writes,
    judge: compileRules(errors),
    given: { settings },
  });
  const of = compiled(description, caller);
  const stock = { row: stockRow, idField: 'product_id' } as const;
  const bySku = findOf(of, 'stock-by-sku', stock);
  const asking = sectionOf(description, 'stock-by-sku');
  const customers = recordsOf(of, CUSTOMERS);
  const [lots, customerList] = [listing(of, 'lots', { row: lotRow }), listing(of, 'customers', { row: customerRow })];
  return {
    ping: (signal) => ping(of, signal),
    listProducts: listing(of, 'products', { row: productRow }) ?? missing('lists.products'),
    listStock: listing(of, 'stock', stock) ?? missing('lists.stock'),
    readStock(skus, signal) {
      const { batch = 100, separator } = asking ?? {};
      return readStock({ list: bySku, caller, batch, separator }, skus, signal);
    },
    ...(lots && { listLots: lots }),
    ...productsOf(of),
    ...ordersOf(of),
    ...(customerList && { listCustomers: customerList }),
    findCustomers: customers.find,
    createCustomer: customers.create,
    ...paymentsOf(of),
    notices: noticed((name) => (isByStamp(description.lists?.[name]) ? 'stamp' : 'whole')),
    close: () => caller.close(),
  };
}

/** Whether every request of the list asks for changes since a time. */
function isByStamp(list: ListSection | undefined): boolean {
  return list !== undefined && [list, ...(list.also ?? [])].every(({ since }) => since !== undefined);
}

function productsOf(of: Compiled): ErpProducts {
  if (of.description.writes?.['product-create'] === undefined) return {};
  const { find, create } = recordsOf(of, PRODUCTS);
  return { findProducts: find, createProduct: create };
}

function paymentsOf(of: Compiled): ErpPayments {
  const { find, create } = recordsOf(
    of,
    PAYMENTS,
    ({ marketplaceId, reference }) =>
      `record marketplace payment ${marketplaceId} for the order with reference ${reference}`,
  );
  return {
    listPayments: listing(of, 'payments', { row: paymentRow }) ?? missing('lists.payments'),
    findPayments: find,
    createPayment: (draft, signal) =>
      create(draft, signal).catch((error: unknown) => {
        throw error instanceof CallFailure && error.kind === 'not-found' ? takesNone(error) : error;
      }),
  };
}

function takesNone(cause: CallFailure): CallFailure {
  const { side, kind, outcome, status } = cause;
  const mend = 'An ERP that takes no payments (POST /v1/payments) needs payments.to_erp: false.';
  return new CallFailure(`${cause.message} ${mend}`, { side, kind, outcome, status, cause });
}

async function ping({ caller, description }: Compiled, signal: AbortSignal | undefined): Promise<ErpPing> {
  const section = description.ping;
  if (section === undefined) throw noSuch('ping');
  const call = caller.reading('say who it is', signal);
  const request = compileRequest(section.request, [], caller.place('ping.request'));
  const answer = await call.ask({ request, given: {} });
  const tell = async (name: 'name' | 'version' | 'time' | 'capabilities') => {
    const text = section[name];
    if (text === undefined) return undefined;
    const expression = compileExpression(text, [...ALWAYS, 'headers']);
    return call.tell(expression, answer.beside, { headers: answer.headers }, `ping.${name}`);
  };
  const at = servedAt(answer.headers, caller.now());
  const said = await tell('capabilities');
  const row = {
    ...(typeof said === 'object' ? said : {}),
    name: (await tell('name')) ?? 'ERP',
    version: (await tell('version')) ?? '',
    time: section.time === undefined && answer.headers.date !== undefined ? at : await tell('time'),
  };
  const parsed = pingAnswer.safeParse(row);
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error);
    throw call.invalidAnswer(path, message);
  }
  return withoutFuture(parsed.data, at, at).row;
}
