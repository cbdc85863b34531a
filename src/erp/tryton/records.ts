import { z } from 'zod';
import { wholeIssue } from '../../http/issues.ts';
import { Unfit } from '../../http/rows.ts';
import type { ErpPage } from '../connector.ts';
import { rowsOf, type Shape } from '../rows/page.ts';
import { withoutFuture } from '../rows/times.ts';
import type { Context, Rpc, RpcCallOptions } from './rpc.ts';
import { changedSince, fieldsOf } from './values.ts';

export interface Query<Record> {
  /** `sale.sale` */
  readonly model: string;
  readonly domain: readonly unknown[];
  /** The record whose fields are requested: `lines.product.code` comes as `lines.` with `product.` in it. */
  readonly record: z.ZodType<Record>;
  /** The requested fields, if not all of the record's. */
  readonly fields?: readonly string[];
}

/** Records of one model and the contract's rows made from them. */
export interface Mapping<Record, T> extends Query<Record>, Shape<T> {
  readonly toRow: (record: Record) => unknown;
  readonly context?: Context;
  /** Paths to the records whose change is a change of the row. */
  readonly placesOfChange: readonly string[];
}

/** Reading all rows at once would block Tryton's other users. */
const PAGE = 200;
/** More than any list has. */
const MAX_PAGES = 20_000;

/** Pages by id, so that no record is lost when others come or go. */
async function* recordPages<Record>(rpc: Rpc, query: Query<Record>, asked: RpcCallOptions): AsyncGenerator<unknown[]> {
  let last = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows = await searchRead(rpc, { ...query, domain: [...query.domain, ['id', '>', last]] }, PAGE, asked);
    yield rows;
    if (rows.length < PAGE) return;
    const next = idOf(rows.at(-1));
    if (next <= last) throw rpc.invalidAnswer(asked, 'result', 'the rows are not in the order of their ids');
    last = next;
  }
  throw rpc.invalidAnswer(asked, 'result', `more than ${MAX_PAGES} pages`);
}

/** The first `most` records, by id. */
export async function searchRead<Record>(
  rpc: Rpc,
  { model, domain, record, fields = fieldsOf(record) }: Query<Record>,
  most: number,
  asked: RpcCallOptions,
): Promise<unknown[]> {
  const answer = await rpc.call(`model.${model}.search_read`, [domain, 0, most, [['id', 'ASC']], fields], asked);
  if (!Array.isArray(answer)) throw rpc.invalidAnswer(asked, 'result', 'expected rows');
  return answer as unknown[];
}

/** The most records of a look-up. */
const MAX_FOUND = 100;

/** @throws CallFailure `invalid-answer` for an invalid record */
export async function findRecords<Record>(rpc: Rpc, query: Query<Record>, asked: RpcCallOptions): Promise<Record[]> {
  return parsed(rpc, await searchRead(rpc, query, MAX_FOUND, asked), query.record, asked);
}

/** @throws CallFailure `invalid-answer` for an invalid record */
export async function findRows<Record, T>(
  rpc: Rpc,
  mapping: Mapping<Record, T>,
  condition: readonly unknown[],
  asked: RpcCallOptions,
): Promise<readonly T[]> {
  const query = { ...mapping, domain: [...mapping.domain, ...condition] };
  const rows = await searchRead(rpc, query, MAX_FOUND, { ...asked, context: mapping.context });
  const clock = { asOf: rpc.lastSeen(), servedAt: rpc.lastSeen(), complete: true };
  const { items, invalidRows } = await pageOf(rows, mapping, clock);
  const [invalidRow] = invalidRows;
  if (invalidRow !== undefined) throw rpc.invalidAnswer(asked, invalidRow.path, invalidRow.message);
  return items;
}

/** undefined: none fits. */
export async function searchId(
  rpc: Rpc,
  model: string,
  domain: readonly unknown[],
  asked: RpcCallOptions,
): Promise<number | undefined> {
  const ids = await rpc.call(`model.${model}.search`, [domain, 0, 1, null], { ...asked, write: false });
  const id: unknown = Array.isArray(ids) ? ids[0] : undefined;
  return typeof id === 'number' ? id : undefined;
}

const idsAnswer = z.tuple([z.int()]);

/** @param name as in "expected the id of {name}" @returns the new id */
export async function createdId(
  rpc: Rpc,
  model: string,
  values: unknown,
  name: string,
  asked: RpcCallOptions,
): Promise<number> {
  const made = idsAnswer.safeParse(await rpc.call(`model.${model}.create`, [[values]], asked));
  if (!made.success) throw rpc.invalidAnswer(asked, 'result', `expected the id of ${name}`);
  return made.data[0];
}

export async function allRecords<Record>(rpc: Rpc, query: Query<Record>, asked: RpcCallOptions): Promise<Record[]> {
  const all: Record[] = [];
  for await (const rows of recordPages(rpc, query, asked)) all.push(...parsed(rpc, rows, query.record, asked));
  return all;
}

/** @throws CallFailure `invalid-answer` for an invalid row */
export function parsed<T>(rpc: Rpc, rows: readonly unknown[], row: z.ZodType<T>, asked: RpcCallOptions): T[] {
  return rows.map((one, index) => {
    const result = row.safeParse(one);
    if (result.success) return result.data;
    const { path, message } = wholeIssue(result.error, `result[${index}]`);
    throw rpc.invalidAnswer(asked, path, message);
  });
}

/** An invalid record is kept by its id. */
export async function pageOf<Record, T>(
  rows: readonly unknown[],
  mapping: Pick<Mapping<Record, T>, 'record' | 'toRow' | 'row' | 'idField'>,
  { asOf, servedAt, complete }: { readonly asOf: string; readonly servedAt: string; readonly complete: boolean },
): Promise<ErpPage<T>> {
  const { record, toRow, idField = 'id' } = mapping;
  const mapped = rows.map((row) => {
    const result = record.safeParse(row);
    if (result.success) return toRow(result.data);
    const { path, message } = wholeIssue(result.error);
    return new Unfit(`${path}: ${message}`, { [idField]: idOf(row) });
  });
  const { items, invalidRows } = await rowsOf(mapped, mapping);
  const now = items.map((item) => withoutFuture(item, servedAt, servedAt));
  return { items: now.map(({ row }) => row), invalidRows, asOf, complete, ahead: now.flatMap(({ ahead }) => ahead) };
}

/** Reads the clock before the list, so that the next read of changes covers this read. */
export async function* listOf<Record, T>(
  rpc: Rpc,
  mapping: Mapping<Record, T>,
  since: string | null,
  asked: RpcCallOptions,
): AsyncGenerator<ErpPage<T>> {
  const { domain, placesOfChange, context } = mapping;
  const query = since === null ? mapping : { ...mapping, domain: [...domain, changedSince(since, placesOfChange)] };
  const { time: asOf } = await rpc.clock(asked.signal);
  let held: unknown[] | null = null;
  for await (const rows of recordPages(rpc, query, { ...asked, context })) {
    if (held !== null) yield await pageOf(held, mapping, { asOf, servedAt: rpc.lastSeen(), complete: false });
    held = rows;
  }
  yield await pageOf(held ?? [], mapping, { asOf, servedAt: rpc.lastSeen(), complete: true });
}

function idOf(row: unknown): number {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : null;
  return typeof id === 'number' ? id : 0;
}
