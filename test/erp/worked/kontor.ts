import { text } from 'node:stream/consumers';
import { json, onLoopback } from '../contract/answering-server.ts';

/** Kontor, as the manual's page describes it, and nothing beside that. */
interface Article {
  readonly id: number;
  readonly number: string;
  title: string;
  state: 'A' | 'X';
  stock: number;
  modified: number;
}

interface Line {
  readonly pos: number;
  readonly article: string;
  readonly qty: string;
  delivered: string;
  readonly price: string;
}

interface Order {
  readonly id: number;
  head: Readonly<Record<string, unknown>>;
  state: 10 | 20 | 30 | 90;
  lines: readonly Line[];
  modified: number;
}

type StatedCapabilities = { readonly status: number; readonly body: unknown };
const no = (reason: string): StatedCapabilities => ({ status: 200, body: { ok: false, reason } });
const yes: StatedCapabilities = { status: 200, body: { ok: true } };

const CLOCK = new Intl.DateTimeFormat('de-DE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'medium',
  timeStyle: 'medium',
});
/** `31.01.2030 08:30:00` */
const onTheWall = (ms: number): string => CLOCK.format(ms).replace(', ', ' ');
/** In the order of their times. */
const sortable = (wall: string): string => wall.replace(/^(\d\d)\.(\d\d)\.(\d{4}) /, '$3$2$1 ');

export async function startKontor(articles: number) {
  const beganMs = Date.now() - 3 * 86_400_000;
  const shelf = Array.from({ length: articles }, (_, index): Article => {
    const number = `A-${String(index + 1).padStart(4, '0')}`;
    return { id: index + 1, number, title: `Ware ${number}`, state: 'A', stock: 1_000, modified: beganMs };
  });
  const orders: Order[] = [];
  const openOf = (number: string): number =>
    orders
      .filter(({ state }) => state === 20)
      .flatMap(({ lines }) => lines)
      .filter(({ article }) => article === number)
      .reduce((sum, { qty }) => sum + Number(qty), 0);

  const articleShown = (one: Article) => ({
    ...one,
    text: null,
    price_cents: one.id * 7 + 99,
    open: openOf(one.number),
    modified: onTheWall(one.modified),
  });
  const orderShown = ({ head, modified, ...order }: Order) => ({ ...head, ...order, modified: onTheWall(modified) });

  function listed(rows: readonly { readonly modified: string }[], query: URLSearchParams): StatedCapabilities {
    const from = query.get('modified_from');
    const fitting = rows.filter((row) => from === null || sortable(row.modified) >= sortable(from));
    const offset = Number(query.get('offset') ?? 0);
    const page = fitting.slice(offset, offset + Math.min(200, Number(query.get('limit') ?? 50)));
    if (page.length === 0) return { status: 404, body: { error: 'NO_DATA' } };
    return { status: 200, body: { rows: page, count: fitting.length } };
  }

  function changed(order: Order, action: string, body: unknown): StatedCapabilities {
    if (order.state === 30) return no(`order ${order.id} was delivered`);
    if (action === 'lines') {
      const lines = body as readonly { readonly article: string; readonly qty: string; readonly price: string }[];
      const strange = lines.find(({ article }) => !shelf.some(({ number }) => number === article));
      if (strange !== undefined) return no(`there is no article ${strange.article}`);
      order.lines = lines.map((line, index) => ({ pos: index + 1, delivered: '0', ...line }));
    } else if (action === 'release') order.state = 20;
    else if (action === 'cancel') order.state = 90;
    else order.head = { ...order.head, ...(body as object) };
    order.modified = Date.now();
    return yes;
  }

  function answerTo(method: string, url: URL, body: unknown): StatedCapabilities {
    const [, , what, id, action = ''] = url.pathname.split('/');
    const query = url.searchParams;
    if (what === 'info') return { status: 200, body: { product: 'Kontor', release: '7.2' } };
    if (what === 'articles') {
      const wanted = query.get('number');
      return listed(shelf.filter(({ number }) => wanted === null || number === wanted).map(articleShown), query);
    }
    if (id === undefined && method === 'GET') {
      const wanted = query.get('your_ref');
      return listed(
        orders.map(orderShown).filter((one) => wanted === null || refOf(one) === wanted),
        query,
      );
    }
    if (id === undefined) {
      const made: Order = {
        id: orders.length + 1,
        head: body as object as Order['head'],
        state: 10,
        lines: [],
        modified: Date.now(),
      };
      orders.push(made);
      return { status: 200, body: { id: made.id } };
    }
    const order = orders.find((one) => String(one.id) === id);
    if (order === undefined) return { status: 404, body: { error: 'NO_SUCH_ORDER' } };
    return method === 'GET' ? { status: 200, body: orderShown(order) } : changed(order, action, body);
  }

  const server = await onLoopback((request, response) => {
    void text(request).then((sent) => {
      const known = request.headers['x-api-key'] === 'a-key-of-kontor';
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      const url = new URL(request.url ?? '', 'http://kontor');
      const said = known ? answerTo(request.method ?? '', url, body) : { status: 401, body: { error: 'KEY' } };
      json(response, said.status, said.body);
    });
  });
  return {
    ...server,
    /** A person packs all of it. */
    ship(id: string): void {
      const order = orders.find((one) => String(one.id) === id);
      if (order === undefined) throw new Error(`there is no order ${id}`);
      for (const line of order.lines) {
        line.delivered = line.qty;
        const article = shelf.find(({ number }) => number === line.article);
        if (article !== undefined) article.stock -= Number(line.qty);
      }
      Object.assign(order, { state: 30, modified: Date.now() });
    },
    orders,
  };
}

const refOf = (shown: object): unknown => (shown as { readonly your_ref?: unknown }).your_ref;
