import { earlier } from '../../domain/instant.ts';
import type { ErpConnector, ErpPage, Misfit, StockRow } from '../connector.ts';
import { stockRow } from '../rows/rows.ts';
import type { Caller } from './call.ts';
import { type Collection, collection, listPages } from './list.ts';

const MAX_SKUS = 100;
/** Of the stock of so many SKUs, by location and batch; a server that ignores the filter shows all its stock. */
const MAX_PAGES = 1_000;
/** Keeps the address well below what proxies accept. */
const MAX_QUERY_LENGTH = 4_000;

const STOCK: Collection<StockRow> = { path: '/v1/stock', row: stockRow, idField: 'product_id' };

export function stockOf(caller: Caller): Pick<ErpConnector, 'listStock' | 'readStock'> {
  return {
    listStock: collection(caller, { ...STOCK, name: 'stock' }).list,
    readStock: (skus, signal) => readStock(caller, skus, signal),
  };
}

/**
 * The stock of these SKUs, read now, in as few calls as the length of an address allows.
 *
 * A SKU with a comma in it is asked for alone, since the contract separates SKUs by commas. When the ERP does not answer
 * with it, nobody knows whether it is unknown there or was taken for two: it becomes a misfit, not an absence.
 */
async function readStock(
  caller: Caller,
  skus: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ErpPage<StockRow>> {
  if (skus.length === 0 || skus.length > MAX_SKUS || skus.includes('')) {
    throw new RangeError(`Stock is read for 1 to ${MAX_SKUS} SKUs at a time, none of them empty; got ${skus.length}.`);
  }
  const pages: ErpPage<StockRow>[] = [];
  let complete = true;
  for (const group of groupsOf(skus)) {
    const params = { sku: group.map(encodeURIComponent).join(',') };
    const purpose = `read the stock of ${group.length === 1 ? `SKU ${group[0]}` : `${group.length} SKUs`}`;
    for await (const page of listPages(caller, { ...STOCK, params, purpose }, signal)) {
      pages.push(only(group, page));
      if (pages.length > MAX_PAGES) {
        throw caller.misfit({ method: 'GET', purpose }, { path: 'next', message: `more than ${MAX_PAGES} pages` });
      }
    }
    complete &&= pages.at(-1)?.complete ?? false;
  }
  const items = pages.flatMap((page) => page.items);
  const misfits = pages.flatMap((page) => page.misfits);
  const known = new Set([...items.map((row) => row.sku), ...misfits.map((misfit) => misfit.sku)]);
  const missed = skus.filter((sku) => sku.includes(',') && !known.has(sku)).map(unaskable);
  return { items, misfits: [...misfits, ...missed], asOf: pages.map((page) => page.asOf).reduce(earlier), complete };
}

/** A server may ignore the filter, or take a SKU with a comma for two: rows of other SKUs are left out. */
function only(skus: readonly string[], page: ErpPage<StockRow>): ErpPage<StockRow> {
  return {
    ...page,
    items: page.items.filter((row) => skus.includes(row.sku)),
    misfits: page.misfits.filter(({ sku }) => sku === null || skus.includes(sku)),
  };
}

function unaskable(sku: string): Misfit {
  const message = 'the ERP did not answer with this SKU, whose comma it may have taken for two SKUs';
  return { what: sku, id: null, sku, path: 'sku', message };
}

function groupsOf(skus: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = MAX_QUERY_LENGTH;
  for (const sku of new Set(skus)) {
    const size = encodeURIComponent(sku).length + 1;
    const alone = sku.includes(',');
    if (alone || length + size > MAX_QUERY_LENGTH) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(sku);
    length = alone ? MAX_QUERY_LENGTH : length + size;
  }
  return groups;
}
