import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The version of the ERP HTTP contract that this module answers. */
export const contract = 1;

type Row = Record<string, unknown>;
const TABLES = ['products', 'stock', 'orders', 'customers', 'payments'] as const;
type Books = Record<(typeof TABLES)[number], Row[]>;
interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  query: Record<string, string | undefined>;
  body: Row;
}

/** A shop that keeps its books in one JSON file. It sells whole pieces. */
export default function open({ file }: { file: string }) {
  const now = () => new Date().toISOString();
  const answer = (body: Row, status = 200) => ({ status, body });
  const missing = (path: string) => answer({ error: `the shop has no ${path}` }, 404);

  /** Open orders reserve their pieces. */
  function recount({ stock, orders }: Books) {
    const reserving = orders.filter(({ status }) => status === 'reserved');
    const lines = reserving.flatMap((order) => order['lines'] as Row[]);
    for (const row of stock) {
      const ordered = lines.filter(({ sku }) => sku === row['sku']).map(({ quantity }) => Number(quantity));
      const reserved = ordered.reduce((sum, pieces) => sum + pieces, 0);
      if (Number(row['reserved']) === reserved) continue;
      const available = Number(row['on_hand']) - reserved;
      Object.assign(row, { reserved: String(reserved), available: String(available), changed_at: now() });
    }
  }

  /** Either all of a change is on the disk, or nothing. */
  function save(books: Books) {
    recount(books);
    writeFileSync(`${file}.new`, JSON.stringify(books));
    renameSync(`${file}.new`, file);
  }

  function find(rows: Row[], { changed_since: since, sku, reference, marketplace_id: customer }: Request['query']) {
    const items = rows
      .filter((row) => since === undefined || String(row['changed_at']) >= since)
      .filter((row) => sku === undefined || sku.split(',').includes(String(row['sku'])))
      .filter((row) => reference === undefined || row['reference'] === reference)
      .filter((row) => customer === undefined || String(row['marketplace_id']) === customer);
    return answer({ items, next: null, as_of: now(), complete: true });
  }

  return {
    handle({ method, path, query, body }: Request) {
      const books: Books = JSON.parse(readFileSync(file, 'utf8'));
      if (path === '/v1/ping') return answer({ name: 'Shop', version: '1', time: now() });
      const [, , name, id] = path.split('/').map(decodeURIComponent);
      const table = TABLES.find((one) => one === name);
      if (table === undefined) return missing(path);
      if (table === 'stock') for (const row of books.stock) row['as_of'] = now();
      const rows = books[table];
      if (method === 'GET' && id === undefined) return find(rows, query);
      if (method === 'POST') {
        const made = { voided: false, ...body, id: `${table}-${rows.length + 1}`, changed_at: now() };
        rows.push(made);
        save(books);
        return answer(made, 201);
      }
      const row = rows.find((one) => one['id'] === id);
      if (row === undefined) return missing(path);
      if (method === 'PATCH') {
        Object.assign(row, body, { changed_at: now() });
        save(books);
      }
      return answer(row);
    },
  };
}
