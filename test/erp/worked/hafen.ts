import { text } from 'node:stream/consumers';
import { json, onLoopback } from '../contract/answering-server.ts';

/**
 * Hafen, another made-up ERP: amounts in cents and quantities in thousandths, times as `/Date(0)/`, pages by the header Link,
 * lines of orders at an address of their own, a `location` in place of an answer, and edits that name the version they change.
 */

interface Item {
  readonly id: number;
  readonly code: string;
  readonly label: string;
  readonly cents: number;
  readonly pack: number;
  blocked: boolean;
  here: number;
  changed: number;
}

interface Position {
  readonly code: string;
  readonly milli: number;
  readonly micro_price: number;
  readonly sent?: number;
}

interface Order {
  readonly id: number;
  readonly ext: string;
  readonly buyer: string | null;
  sums: object;
  readonly memo: string;
  state: 'NEW' | 'HELD' | 'OUT' | 'OFF';
  positions: Position[];
  version: number;
  changed: number;
}

interface StatedCapabilities {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const at = (ms: number): string => `/Date(${ms})/`;
const refused = (status: number, problem: string): StatedCapabilities => ({ status, body: { problem } });
const none = refused(404, 'UNKNOWN');

export async function startHafen(items: number) {
  const beganMs = Date.now() - 3 * 86_400_000;
  const shelf = Array.from({ length: items }, (_, index): Item => {
    const code = `H/${String(index + 1).padStart(3, '0')}`;
    const facts = { label: `Item ${code}`, cents: 995 + index, pack: 6, blocked: false, here: 900_000 };
    return { id: index + 1, code, changed: beganMs, ...facts };
  });
  const orders: Order[] = [];
  const promised = (code: string): number =>
    orders
      .filter(({ state }) => state === 'HELD')
      .flatMap(({ positions }) => positions)
      .filter((one) => one.code === code)
      .reduce((sum, { milli }) => sum + milli, 0);
  const itemShown = ({ id, code, label, cents, pack, blocked, changed }: Item) => {
    return { id, code, label, cents, pack, blocked, changed: at(changed) };
  };
  const orderShown = ({ id, ext, buyer, sums, memo, state, version, changed }: Order) => {
    return { id, ext, buyer, sums, memo, state, version, changed: at(changed) };
  };

  function paged(
    rows: readonly { readonly changed: number }[],
    show: (row: never) => unknown,
    url: URL,
  ): StatedCapabilities {
    const since = url.searchParams.get('changed[ge]');
    const from = Number(url.searchParams.get('from') ?? 0);
    const size = Number(url.searchParams.get('page[size]') ?? 25);
    const fitting = rows.filter(({ changed }) => since === null || changed >= Number(since));
    const next = new URL(url);
    next.searchParams.set('from', String(from + size));
    const more = from + size < fitting.length;
    return {
      status: 200,
      body: { data: fitting.slice(from, from + size).map((row) => show(row as never)) },
      headers: more ? { link: `<${next.href}>; rel="next"` } : {},
    };
  }

  function positionsIn(body: unknown): Position[] | null {
    const wanted = body as Position[];
    return wanted.every(({ code }) => shelf.some((item) => item.code === code)) ? wanted : null;
  }

  function ofOrder(
    method: string,
    order: Order,
    part: string | undefined,
    body: unknown,
    match: string,
  ): StatedCapabilities {
    const etag = `"${order.version}"`;
    if (method === 'GET' && part === undefined) return { status: 200, body: orderShown(order), headers: { etag } };
    if (method === 'GET') return { status: 200, body: { data: order.positions } };
    if (match !== etag) return refused(412, 'CHANGED');
    if (order.state === 'OUT') return refused(409, 'GONE OUT');
    if (part === 'positions') {
      const positions = positionsIn(body);
      if (positions === null) return refused(422, 'NO SUCH ITEM');
      order.positions = positions;
    } else if (part === 'sums') order.sums = { ...order.sums, ...(body as object) };
    else order.state = (body as { to: Order['state'] }).to;
    Object.assign(order, { version: order.version + 1, changed: Date.now() });
    return { status: 204 };
  }

  function made(what: string, body: unknown): StatedCapabilities {
    if (what === 'items') {
      const { code, label, cents, pack } = body as Item;
      if (shelf.some((item) => item.code === code)) return refused(409, 'CODE TAKEN');
      const facts = { blocked: false, here: 0, changed: Date.now() };
      shelf.push({ id: shelf.length + 1, code, label, cents, pack, ...facts });
      return { status: 201, headers: { location: `/v3/items/${shelf.length}` } };
    }
    const positions = positionsIn((body as Order).positions);
    if (positions === null) return refused(422, 'NO SUCH ITEM');
    const order = { ...(body as Order), id: orders.length + 1, positions, version: 1, changed: Date.now() };
    orders.push({ ...order, state: 'NEW' });
    return { status: 201, headers: { location: `/v3/orders/${order.id}` } };
  }

  function answerTo(method: string, url: URL, body: unknown, match: string): StatedCapabilities {
    const [, , what = '', id, part] = url.pathname.split('/');
    if (what === 'about') return { status: 200, body: { name: 'Hafen', build: '3.1' } };
    if (method === 'POST' && id === undefined) return made(what, body);
    const codes = url.searchParams.getAll('code');
    const wanted = shelf.filter(({ code }) => codes.length === 0 || codes.includes(code));
    if (what === 'items') return paged(wanted, itemShown, url);
    if (what === 'stock') {
      const data = wanted.map(({ id: item, code, here }) => ({ item, code, here, promised: promised(code) }));
      return { status: 200, body: { data } };
    }
    if (id === undefined) {
      const ext = url.searchParams.get('ext');
      const fitting = orders.filter((order) => ext === null || order.ext === ext);
      return paged(fitting, orderShown, url);
    }
    const order = orders.find((one) => String(one.id) === id);
    return order === undefined ? none : ofOrder(method, order, part, body, match);
  }

  const server = await onLoopback((request, response) => {
    void text(request).then((sent) => {
      const { authorization, host = '' } = request.headers;
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      const url = new URL(request.url ?? '', `http://${host}`);
      const known = authorization === 'Token a-token-of-hafen';
      const match = request.headers['if-match'] ?? '';
      const said = known ? answerTo(request.method ?? '', url, body, match) : refused(401, 'WHO');
      json(response, said.status, said.body, said.headers);
    });
  });
  return {
    ...server,
    /** A person sends all of it. */
    ship(id: string): void {
      const order = orders.find((one) => String(one.id) === id);
      if (order === undefined) throw new Error(`there is no order ${id}`);
      for (const { code, milli } of order.positions) {
        const item = shelf.find((one) => one.code === code);
        if (item !== undefined) item.here -= milli;
      }
      order.positions = order.positions.map((line) => ({ ...line, sent: line.milli }));
      Object.assign(order, { state: 'OUT', version: order.version + 1, changed: Date.now() });
    },
  };
}
