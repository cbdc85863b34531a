import { compileExpression } from '../../expressions/expression.ts';
import { firstIssue } from '../../http/misfit.ts';
import { servedAt } from '../../http/retry-after.ts';
import {
  ERP_LISTS,
  type ErpConnector,
  type ErpLot,
  type ErpPing,
  type ErpProduct,
  type ErpProducts,
  type StockRow,
} from '../connector.ts';
import { productBody } from '../rows/bodies.ts';
import { lotRow, pong, productRow, stockRow } from '../rows/rows.ts';
import { withoutFuture } from '../rows/times.ts';
import { type CallerParts, createCaller } from './caller.ts';
import { type Compiled, compiled, findOf, listOf, missing, noSuch, plain, writeOf } from './compiled.ts';
import { customersOf, paymentsOf } from './customers.ts';
import type { Words } from './failures.ts';
import { findRows, firstFound } from './find.ts';
import { ordersOf } from './orders.ts';
import { compileRequest } from './request.ts';
import { compileRules } from './rules.ts';
import type { Description } from './schema.ts';
import { sectionOf } from './sections.ts';
import { readStock } from './stock.ts';
import { compileTemplate } from './template.ts';
import { ALWAYS } from './texts.ts';

export interface RestErpOptions extends Omit<CallerParts, 'judge' | 'given' | 'headers' | 'limits' | 'auth' | 'words'> {
  readonly description: Description;
  /** The words of messages; those about a description when left out. */
  readonly words?: Words;
}

const WORDS: Words = {
  fits: 'its description',
  mend: "Correct the ERP's answer, or its description.",
  credentials: 'Check the credentials below erp of this account.',
  right: 'Give the credentials of this account that right.',
};

/**
 * The connector that a description makes. No write is repeated here. Every failure is a `CallFailure`; rows that do not fit
 * are set aside as misfits, and the rest goes on.
 * @throws ExpressionError for an expression that cannot be read
 */
export function createRestErp({ description, words = WORDS, ...parts }: RestErpOptions): ErpConnector {
  const { errors = [], limits, auth, headers = {}, settings = {} } = description;
  const caller = createCaller({
    ...parts,
    words,
    auth: auth ?? { scheme: 'none' },
    headers: compileTemplate(headers, ALWAYS),
    limits:
      limits === undefined
        ? null
        : {
            perSecond: limits.per_second ?? null,
            perMinute: limits.per_minute ?? null,
            concurrent: limits.concurrent ?? 16,
          },
    judge: compileRules(errors),
    given: { settings },
  });
  const of = compiled(description, caller);
  const stock = { row: stockRow, idField: 'product_id' } as const;
  const products = listOf(of, 'products', { row: productRow }) ?? missing<ErpProduct>('lists.products');
  const stockList = listOf(of, 'stock', stock) ?? missing<StockRow>('lists.stock');
  const bySku = findOf(of, 'stock-by-sku', stock);
  const asking = sectionOf(description, 'stock-by-sku');
  return {
    ping: (signal) => ping(of, signal),
    listProducts: (changedSince, signal) => products({ changedSince, given: {}, purpose: 'list the products' }, signal),
    listStock: (changedSince, signal) => stockList({ changedSince, given: {}, purpose: 'list the stock' }, signal),
    readStock(skus, signal) {
      const { batch = 100, separator } = asking ?? {};
      return readStock({ list: bySku, caller, batch, separator }, skus, signal);
    },
    ...lotsOf(of),
    ...productsOf(of),
    ...ordersOf(of),
    ...customersOf(of),
    ...paymentsOf(of),
    alwaysWhole: ERP_LISTS.filter((name) => description.lists?.[name]?.since === undefined),
    close: () => caller.close(),
  };
}

function lotsOf(of: Compiled): Pick<ErpConnector, 'listLots'> {
  const lots = listOf<ErpLot>(of, 'lots', { row: lotRow });
  if (lots === null) return {};
  return { listLots: (changedSince, signal) => lots({ changedSince, given: {}, purpose: 'list the lots' }, signal) };
}

/** Creating products in the ERP, where the description has a write for them. */
function productsOf(of: Compiled): ErpProducts {
  if (of.description.writes?.['product-create'] === undefined) return {};
  const bySku = findOf(of, 'products-by-sku', { row: productRow });
  const create = writeOf(of, 'product-create', 'products', productRow);
  const found = (sku: string, purpose: string, signal: AbortSignal | undefined) => {
    const fits = (product: ErpProduct) => product.sku === sku;
    return findRows(of.caller, bySku, { given: { sku }, purpose, fits }, signal);
  };
  return {
    findProducts: (sku, signal) => found(sku, `find the products with SKU ${sku}`, signal),
    async createProduct(draft, signal) {
      const purpose = `create the product with SKU ${draft.sku}`;
      const read = async () => firstFound(await found(draft.sku, purpose, signal));
      return (await create({ given: { draft: plain(productBody(draft)) }, purpose, read }, signal)).row;
    },
  };
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
  const parsed = pong.safeParse(row);
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error);
    throw call.misfit(path, message);
  }
  return withoutFuture(parsed.data, at, at).row;
}
