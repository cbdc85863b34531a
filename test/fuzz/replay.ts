import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { Answer, Twisted } from '../support/twisted.ts';

type Row = Record<string, unknown>;

/** A list as the side shows it without any filter. */
interface List {
  readonly envelope: Row;
  /** The field that holds the rows; null: the answer is an array. */
  readonly rowsIn: 'results' | 'items' | null;
  readonly rows: Row[];
}

/** A side that answers reads from memory, as fast as it can, with the recorded rows of a real side. */
export interface Replay {
  readonly url: string;
  /** null: answers pass as they are. */
  twist: ((answer: Answer) => Twisted) | null;
  /** Changes one row of one list: a figure or a text, and its time of change. */
  move(chance: Chance): void;
  close(): Promise<void>;
}

/** The parameters that select a part of a list. The others say which list is meant. */
const PART = /^(page|page_size|limit|offset|ordering|sort_by|cursor|changed_since|\w+__gte|product_id)$/;
const CHANGED = ['modified', 'modified_date', 'changed_at'] as const;
const PAGE_SIZE = 500;

/** Keeps the answers of a side to reads for a replay. */
export function recorder() {
  const lists = new Map<string, List>();
  const others = new Map<string, Buffer>();
  return {
    saw({ method, target, status, body }: Answer): void {
      if (method !== 'GET' || status !== 200) return;
      const said = JSON.parse(body.toString()) as Row | Row[];
      const list = listOf(said);
      if (list === null) return void others.set(target, body);
      const known = lists.get(nameOf(target)) ?? list;
      const shown = new Map([...known.rows, ...list.rows].map((row) => [keyOf(row), row]));
      lists.set(nameOf(target), { ...known, rows: [...shown.values()] });
    },
    replay: () => startReplay(lists, others),
  };
}

function listOf(said: Row | Row[]): List | null {
  if (Array.isArray(said)) return { envelope: {}, rowsIn: null, rows: said };
  const rowsIn = (['results', 'items'] as const).find((name) => Array.isArray(said[name]));
  return rowsIn === undefined ? null : { envelope: said, rowsIn, rows: said[rowsIn] as Row[] };
}

const keyOf = (row: Row): string =>
  JSON.stringify([row['number'] ?? row['id'] ?? row['product_id'], row['sku'], row['location'], row['batch']]);

function nameOf(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://side');
  const asked = [...searchParams].filter(([name]) => !PART.test(name));
  return `${pathname}?${asked
    .map((pair) => pair.join('='))
    .toSorted()
    .join('&')}`;
}

async function startReplay(lists: ReadonlyMap<string, List>, others: ReadonlyMap<string, Buffer>): Promise<Replay> {
  const made = new Map<string, Buffer>();
  const bodyOf = (url: string): Buffer | undefined => {
    const list = lists.get(nameOf(url));
    const body =
      made.get(url) ?? (list === undefined ? others.get(url) : Buffer.from(JSON.stringify(partOf(list, url))));
    if (body !== undefined) made.set(url, body);
    return body;
  };
  const server = createServer(({ method = 'GET', url = '/' }, outgoing) => {
    const body = bodyOf(url);
    const headers = { 'content-type': 'application/json', date: new Date().toUTCString() };
    const answer = {
      method,
      target: url,
      status: body === undefined ? 404 : 200,
      headers,
      body: body ?? Buffer.from('{}'),
    };
    const twisted: Twisted = side.twist === null ? answer : side.twist(answer);
    const { 'content-length': _length, ...kept } = twisted.headers;
    outgoing.writeHead(twisted.status, { ...kept, 'content-length': twisted.body.length + (twisted.cut ? 1 : 0) });
    if (twisted.cut) outgoing.write(twisted.body, () => outgoing.destroy());
    else outgoing.end(twisted.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const side: Replay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    twist: null,
    move(chance) {
      const moving = [...lists.values()].filter(({ rows: [row] }) => CHANGED.some((name) => row?.[name] !== undefined));
      const list = moving[chance.whole(0, moving.length - 1)];
      if (list === undefined) return;
      const row = list.rows[chance.whole(0, list.rows.length - 1)];
      if (row === undefined) return;
      made.clear();
      for (const name of CHANGED) if (row[name] !== undefined) row[name] = new Date().toISOString();
      for (const name of ['name', 'note', 'description']) {
        if (typeof row[name] === 'string') row[name] = `${row[name].slice(0, 60)} ${chance.whole(0, 99)}`;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return side;
}

/** The page of a list that a request asks for. */
function partOf({ envelope, rowsIn, rows }: List, target: string): unknown {
  const query = new URL(target, 'http://side').searchParams;
  const since = query.get('modified__gte') ?? query.get('created_on__gte') ?? query.get('changed_since');
  const field = CHANGED.find((name) => rows[0]?.[name] !== undefined) ?? 'modified';
  const made = rows[0]?.['created_on'] === undefined ? 'created_date' : 'created_on';
  const by = query.get('ordering') === 'created_on' || query.has('created_on__gte') ? made : field;
  const at = (row: Row) => Date.parse(String(row[by]));
  const ids = query.get('product_id')?.split(',');
  const asked = rows
    .filter((row) => since === null || !(at(row) < Math.floor(Date.parse(since) / 1000) * 1000))
    .filter((row) => ids === undefined || ids.includes(String(row['product_id'])))
    .toSorted((a, b) => (query.get('ordering')?.startsWith('-') ? at(b) - at(a) : at(a) - at(b)) || 0);
  if (rowsIn === null) return asked;
  if (rowsIn === 'items')
    return { ...envelope, items: asked, next: null, as_of: new Date().toISOString(), complete: true };
  const size = Number(query.get('page_size') ?? query.get('limit') ?? PAGE_SIZE);
  const from = query.has('offset') ? Number(query.get('offset')) : (Number(query.get('page') ?? 1) - 1) * size;
  return { ...envelope, count: asked.length, next: null, results: asked.slice(from, from + size) };
}
