import { earlier } from '../../domain/instant.ts';
import type { ErpPage, InvalidRow, StockRow } from '../connector.ts';
import { checkSkus, stockPurpose } from '../rows/asked-skus.ts';
import type { Caller } from './caller.ts';
import type { ReadList } from './list.ts';

/** Stock has rows for each location and batch, and a server may ignore the filter. */
const MAX_PAGES = 1_000;
/** The most characters of SKUs in an address, well below the limits of proxies. */
const MAX_QUERY_LENGTH = 4_000;

interface Asking {
  readonly list: ReadList<StockRow>;
  readonly caller: Caller;
  readonly batch: number;
  readonly separator: string | undefined;
}

/**
 * The current stock, in as few calls as the address length allows.
 * A SKU that contains the separator is asked for alone. If it is missing from the answer, it may be unknown or may have
 * been split in two, so it becomes an invalid row and not an absent one.
 */
export async function readStock(
  asking: Asking,
  skus: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ErpPage<StockRow>> {
  checkSkus(skus);
  const pages: ErpPage<StockRow>[] = [];
  let complete = true;
  for (const group of groupsOf(skus, asking)) {
    const purpose = stockPurpose(group);
    for await (const page of asking.list({ changedSince: null, given: { skus: group }, purpose }, signal)) {
      pages.push(only(group, page));
      if (pages.length > MAX_PAGES) {
        throw asking.caller.reading(purpose, signal).invalidAnswer('next', `more than ${MAX_PAGES} pages`);
      }
    }
    complete &&= pages.at(-1)?.complete ?? false;
  }
  const items = pages.flatMap((page) => page.items);
  const invalidRows = pages.flatMap((page) => page.invalidRows);
  const known = new Set([...items.map((row) => row.sku), ...invalidRows.map((invalidRow) => invalidRow.sku)]);
  const missed = skus.filter((sku) => isDoubtful(sku, asking) && !known.has(sku)).map(unaskable);
  return {
    items,
    invalidRows: [...invalidRows, ...missed],
    asOf: pages.map((page) => page.asOf).reduce(earlier),
    complete,
  };
}

const isDoubtful = (sku: string, { separator }: Asking): boolean => separator !== undefined && sku.includes(separator);

/** Only the wanted SKUs: a server may ignore the filter, or split a SKU in two. */
function only(skus: readonly string[], page: ErpPage<StockRow>): ErpPage<StockRow> {
  return {
    ...page,
    items: page.items.filter((row) => skus.includes(row.sku)),
    invalidRows: page.invalidRows.filter(({ sku }) => sku === null || skus.includes(sku)),
  };
}

function unaskable(sku: string): InvalidRow {
  const message = 'the ERP did not answer with this SKU, which it may have taken for two SKUs';
  return { what: sku, id: null, sku, path: 'sku', message };
}

function groupsOf(skus: readonly string[], asking: Asking): string[][] {
  const groups: string[][] = [];
  let length = MAX_QUERY_LENGTH;
  for (const sku of new Set(skus)) {
    const size = encodeURIComponent(sku.toWellFormed()).length + 1;
    const alone = isDoubtful(sku, asking);
    if (alone || length + size > MAX_QUERY_LENGTH || (groups.at(-1)?.length ?? 0) >= asking.batch) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(sku);
    length = alone ? MAX_QUERY_LENGTH : length + size;
  }
  return groups;
}
