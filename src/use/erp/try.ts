import { CallFailure } from '../../domain/failure.ts';
import { ERP_LISTS, type ErpConnector, type ErpPage, type InvalidRow } from '../../erp/connector.ts';
import { withoutRetryPromise } from '../../erp/failure.ts';
import type { Wire, WireExchange } from '../../erp/wire.ts';
import { COLLECTIONS, type Collection } from '../../shadow/collections.ts';
import { UsageError } from '../faults.ts';
import { type LeftOut, leftOut } from './left-out.ts';

/** A trial of one ERP operation: the exchanges and the resulting rows. */
export interface Trial {
  readonly exchanges: readonly WireExchange[];
  /** As the program sees them; decimals are text. */
  readonly rows: readonly unknown[];
  readonly invalidRows: readonly InvalidRow[];
  /** The list's own time; null: a look-up. */
  readonly asOf: string | null;
  readonly complete: boolean | null;
  readonly leftOut: readonly LeftOut[];
  /** Why the trial ended early; null: it did not. */
  readonly failure: CallFailure | null;
}

interface Trying {
  readonly since: string | null;
  readonly limit: number;
}

/** By their configuration names. */
export const LISTS: Readonly<Record<string, Collection['erpList']>> = Object.fromEntries(
  ERP_LISTS.map((name) => [name, COLLECTIONS[`erp-${name}` as const].erpList]),
);

type Find = (erp: ErpConnector, values: readonly string[], signal: AbortSignal) => Promise<readonly object[]>;

/** By their configuration names. */
export const FINDS: Readonly<Record<string, Find>> = {
  'products-by-sku': async (erp, [sku = ''], signal) => (await erp.findProducts?.(sku, signal)) ?? [],
  'orders-by-reference': (erp, [reference = ''], signal) => erp.findOrders(reference, signal),
  'order-by-id': async (erp, [id = ''], signal) => [await erp.getOrder(id, signal)].filter((order) => order !== null),
  'stock-by-sku': async (erp, skus, signal) => (await erp.readStock(skus, signal)).items,
  'customers-by-marketplace-id': (erp, [id], signal) => erp.findCustomers(wholeNumber(id), signal),
  'payments-by-marketplace-id': (erp, [id = ''], signal) => erp.findPayments(id, signal),
};

export function recordingWire(): { readonly wire: Wire; readonly exchanges: WireExchange[] } {
  const exchanges: WireExchange[] = [];
  return { exchanges, wire: { saw: (exchange) => void exchanges.push(exchange) } };
}

/** Reads pages up to `limit` rows. Returns a failure as part of the trial. */
export async function tryList(
  erp: ErpConnector,
  exchanges: readonly WireExchange[],
  name: string,
  { since, limit }: Trying,
  signal: AbortSignal,
): Promise<Trial> {
  const pages: ErpPage<object>[] = [];
  const list = LISTS[name]?.(erp)?.(since, signal);
  if (list === undefined) throw new UsageError(`the connection has no list of ${name}`);
  const failure = await failureOf(async () => {
    let rows = 0;
    for await (const page of list) {
      pages.push(page);
      rows += page.items.length + page.invalidRows.length;
      if (rows >= limit) break;
    }
  });
  const all = pages.flatMap(({ items }) => items).map(shownRow);
  return {
    exchanges,
    rows: all.slice(0, limit),
    invalidRows: pages.flatMap(({ invalidRows }) => invalidRows).slice(0, limit),
    asOf: pages[0]?.asOf ?? null,
    complete: pages.at(-1)?.complete ?? null,
    leftOut: leftOut(answersOf(exchanges), all),
    failure,
  };
}

export async function tryFind(
  erp: ErpConnector,
  exchanges: readonly WireExchange[],
  name: string,
  values: readonly string[],
  signal: AbortSignal,
): Promise<Trial> {
  if (values.length === 0) throw new UsageError(`${name} needs what to look for: stockbridge erp try ${name} VALUE`);
  let found: readonly object[] = [];
  const failure = await failureOf(async () => {
    found = (await FINDS[name]?.(erp, values, signal)) ?? [];
  });
  const rows = found.map(shownRow);
  const rest = rows.length === 0 ? [] : leftOut(answersOf(exchanges), rows);
  return { exchanges, rows, invalidRows: [], asOf: null, complete: null, leftOut: rest, failure };
}

function answersOf(exchanges: readonly WireExchange[]): string[] {
  return exchanges.flatMap(({ answer }) => answer ?? []);
}

/** Without the promise to try again. */
export function failureText({ message }: CallFailure): string {
  return withoutRetryPromise(message);
}

async function failureOf(work: () => Promise<void>): Promise<CallFailure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CallFailure) return error;
    throw error;
  }
}

/** Decimals as text, and the ERP's other fields as values. */
function shownRow(row: object): unknown {
  const { attributesText, ...rest } = row as { attributesText?: string };
  const attributes = attributesText === undefined ? {} : { attributes: JSON.parse(attributesText) as unknown };
  return JSON.parse(JSON.stringify({ ...rest, ...attributes }));
}

function wholeNumber(text: string | undefined): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError(`${text} is no id of a marketplace customer: expected a number`);
}
