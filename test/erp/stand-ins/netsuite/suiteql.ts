import Database from 'better-sqlite3';
import { type Account, amountOf, CURRENCIES, committed, statusOf, totalOf } from './account.ts';
import { refuse } from './failures.ts';

/*
 * SuiteQL: online help, "Executing SuiteQL Queries Through REST Web Services" (section_157909186990), "SuiteQL Syntax and Examples"
 * (section_156257790831), "SuiteQL Supported and Unsupported Functions" (section_158513731864), "Collection Paging"
 * (section_156414087576). The tables and columns are those of the Records Catalog, as far as orders need them. A sale is a credit,
 * so the quantities and amounts of its lines are negative.
 */

/** The time zone of the company. A time without a zone is in it. */
export const ZONE = 'America/Los_Angeles';

const TABLES = {
  transaction: `id, type, recordtype, tranid, externalid, otherrefnum, trandate, status, entity, currency, memo, foreigntotal, taxtotal,
    createddate, lastmodifieddate, void`,
  transactionline: `transaction_id, id, linesequencenumber, uniquekey, item, itemtype, quantity, rate, foreignamount, netamount,
    quantityshiprecv, quantitybilled, isclosed, mainline, taxline, memo, location, donotdisplayline`,
  item: `id, itemid, fullname, displayname, description, itemtype, isinactive, lastmodifieddate, createddate`,
  pricing: `item, pricelevel, quantity, unitprice, currency`,
  itemprice: `item, pricelevel, pricelevelname, price, currencypage`,
  aggregateitemlocation: `item, location, quantityonhand, quantityavailable, quantitycommitted, quantityonorder,
    lastquantityavailablechange`,
  inventoryitemlocations: `item, location, quantityonhand, quantityavailable, quantitycommitted, quantityonorder`,
  customer: `id, entityid, companyname, email, isinactive`,
  currency: `id, symbol, name`,
  location: `id, name, isinactive`,
} as const;
type Row = readonly (string | number | null)[];

/** A time as SQL has it: to the second, in the zone of the company. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
const local = (at: Date): string => CLOCK.format(at);

const flag = (is: boolean): string => (is ? 'T' : 'F');
export const LOCATION = '1';
const NAMES: Readonly<Record<string, string>> = { USD: 'US Dollar', EUR: 'Euro' };
/** The prices of another level are so many times higher. */
const ELSEWHERE = 7;

function rowsOf(account: Account): Readonly<Record<keyof typeof TABLES, Row[]>> {
  const { state } = account;
  const orders = [...state.orders.values()];
  const goods = state.items.filter(({ type }) => type === 'InvtPart');
  const stock = goods.map(({ id, onHand }): Row => {
    const taken = committed(account, id).toNumber();
    return [id, LOCATION, onHand, onHand - taken, taken, 0];
  });
  return {
    transaction: orders.map((one) => [
      one.id,
      'SalesOrd',
      'salesorder',
      one.tranId,
      one.externalId,
      one.otherRefNum,
      one.tranDate,
      statusOf(one),
      one.entity,
      one.currency,
      one.memo,
      totalOf(one).toNumber(),
      0,
      local(one.created),
      local(one.modified),
      'F',
    ]),
    transactionline: orders.flatMap((one) => linesOf(account, one.id)),
    item: state.items.map(({ id, itemId, displayName, type, inactive, modified }) => [
      id,
      itemId,
      itemId,
      displayName,
      displayName,
      type,
      flag(inactive),
      local(modified),
      local(modified),
    ]),
    pricing: goods.map(({ id, price }) => [id, '1', 0, Number(price), '1']),
    itemprice: goods.flatMap(({ id, price }): Row[] => [
      [id, '1', 'Base Price', Number(price), '1'],
      [id, '2', 'Online Price', Number(price) * ELSEWHERE, '1'],
    ]),
    aggregateitemlocation: stock.map((row) => [...row, local(new Date())]),
    inventoryitemlocations: stock,
    customer: state.customers.map(({ id, entityId, companyName }) => [id, entityId, companyName, null, 'F']),
    currency: Object.entries(CURRENCIES).map(([symbol, id]) => [id, symbol, NAMES[symbol] ?? symbol]),
    location: [[LOCATION, 'Main', 'F']],
  };
}

function linesOf({ state }: Account, id: string): Row[] {
  const order = state.orders.get(id);
  if (order === undefined) return [];
  const total = totalOf(order).toNumber();
  const main: Row = [
    id,
    0,
    0,
    Number(id) * 1_000,
    null,
    null,
    null,
    null,
    total,
    total,
    0,
    0,
    'F',
    'T',
    'F',
    null,
    null,
    'F',
  ];
  const typeOf = (item: string | null) => state.items.find((one) => one.id === item)?.type ?? null;
  const base = (line: number) => [id, line, line, Number(id) * 1_000 + line];
  const lines = order.lines.map((line): Row => {
    const amount = -amountOf(line);
    const figures = [-line.quantity, line.rate, amount, amount, line.fulfilled, 0, flag(line.closed)];
    return [...base(line.line), line.item, typeOf(line.item), ...figures, 'F', 'F', line.description, LOCATION, 'F'];
  });
  const last = Math.max(...order.lines.map(({ line }) => line));
  const charge = (line: number, item: string | null, type: string, amount: number): Row[] =>
    amount === 0
      ? []
      : [[...base(line), item, type, null, amount, -amount, -amount, 0, 0, 'F', 'F', 'F', null, null, 'F']];
  const discount = charge(last + 1, order.discountItem, 'Discount', order.discountRate);
  return [main, ...lines, ...discount, ...charge(last + 2, null, 'ShipItem', order.shippingCost)];
}

const FORMATS: Readonly<Record<string, (time: string) => string>> = {
  'YYYY-MM-DD HH24:MI:SS': (time) => time,
  'YYYY-MM-DD"T"HH24:MI:SS': (time) => time.replace(' ', 'T'),
  'YYYY-MM-DD"T"HH24:MI:SS"Z"': (time) => `${time.replace(' ', 'T')}Z`,
  'YYYY-MM-DD': (time) => time.slice(0, 10),
};

/** The moment of a time in the zone of the company. */
function moment(time: string): Date {
  const guess = new Date(`${time.replace(' ', 'T')}Z`);
  const there = new Date(`${local(guess).replace(' ', 'T')}Z`);
  return new Date(guess.getTime() + guess.getTime() - there.getTime());
}

const toChar = (time: string | null, format: string): string | null => {
  if (time === null) return null;
  const write = FORMATS[format];
  return write === undefined ? invalid(`the format ${format} is not played here`) : write(time);
};

function toTime(written: string, format: string): string {
  const time = written.replace('T', ' ').replace('Z', '');
  const known = FORMATS[format];
  const isTime = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(time);
  if (known === undefined || !isTime || known(time) !== written) return invalid('ORA-01843: not a valid month');
  return time;
}

function invalid(reason: string): never {
  return refuse(
    400,
    'INVALID_PARAMETER',
    `Invalid search query. Detailed unprocessed description follows. Search error occurred: ${reason}.`,
  );
}

function opened(account: Account): Database.Database {
  const database = new Database(':memory:');
  for (const [name, rows] of Object.entries(rowsOf(account))) {
    const columns = TABLES[name as keyof typeof TABLES].split(',').map((column) => `"${column.trim()}"`);
    const table = name === 'transaction' ? '"transaction"' : name;
    database.exec(`create table ${table} (${columns.join().replace('"transaction_id"', '"transaction"')})`);
    // Internal ids are numbers there.
    const isId = columns.map((column) =>
      /^"(id|item|entity|currency|transaction_id|transaction|location)"$/.test(column),
    );
    const insert = database.prepare(`insert into ${table} values (${columns.map(() => '?').join()})`);
    for (const row of rows)
      insert.run(...row.map((value, at) => (isId[at] === true && value !== null ? Number(value) : value)));
  }
  database.function('to_char', { varargs: true }, (value: string | null, format?: string) =>
    format === undefined ? value : toChar(value, format),
  );
  for (const name of ['to_date', 'to_timestamp'])
    database.function(name, (written: unknown, format: unknown) => toTime(String(written), String(format)));
  database.function('sys_extract_utc', (time: unknown) =>
    moment(String(time)).toISOString().slice(0, 19).replace('T', ' '),
  );
  database.function('nvl', (value: unknown, other: unknown) => value ?? other);
  return database;
}

export interface Page {
  readonly count: number;
  readonly hasMore: boolean;
  readonly items: readonly Record<string, unknown>[];
  readonly offset: number;
  readonly totalResults: number;
}

/** The query in the words of this database, where Oracle's way of writing it is another one. */
function translated(query: string): string {
  if (!/^\s*select\b/i.test(query)) invalid('only SELECT is supported');
  if (/\b(limit|top|ilike)\b/i.test(query.replaceAll(/'[^']*'/g, ''))) invalid('Syntax error');
  return (
    query
      // The name of the record that a field refers to: that of a currency is no code.
      .replaceAll(/\bBUILTIN\.DF\((\w+)\.(currency|entity)\)/gi, (_, table: string, field: string) =>
        field.toLowerCase() === 'currency'
          ? `(select name from currency c_ where c_.id = ${table}.currency)`
          : `(select entityid from customer e_ where e_.id = ${table}.entity)`,
      )
      .replace(/\bWHERE\s+ROWNUM\s*<?=\s*(\d+)\s*$/i, 'limit $1')
      .replaceAll(/\b(from|join)\s+transaction\b/gi, '$1 "transaction"')
      .replaceAll(/\btransaction\.(?=\w)/gi, '"transaction".')
      .replaceAll(/\.transaction\b/gi, '."transaction"')
  );
}

const MOST_RESULTS = 100_000;
const MOST_IN_PAGE = 1_000;

export function suiteql(account: Account, query: string, asked: URLSearchParams): Page {
  const [limit, offset] = [Number(asked.get('limit') ?? MOST_IN_PAGE), Number(asked.get('offset') ?? 0)];
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_IN_PAGE)
    refuse(400, 'INVALID_PARAMETER', 'Provide a valid limit: a number from 1 to 1000.');
  if (!Number.isInteger(offset) || offset % limit !== 0)
    refuse(400, 'INVALID_PARAMETER', 'Provide a valid offset: it has to be divisible by the limit.');
  const database = opened(account);
  try {
    const found = read(database, translated(query)).slice(0, MOST_RESULTS);
    const page = found.slice(offset, offset + limit);
    const hasMore = offset + page.length < found.length;
    return { count: page.length, hasMore, items: page.map(shown), offset, totalResults: found.length };
  } finally {
    database.close();
  }
}

function read(database: Database.Database, query: string): Record<string, unknown>[] {
  try {
    const found = database.prepare(query).all() as Record<string, unknown>[];
    // Rows without a sorting order may come in any order.
    const sorted = /\border\s+by\b/i.test(query);
    return sorted ? found : found.toSorted(() => Math.random() - 0.5);
  } catch (error) {
    if (error instanceof Database.SqliteError) return invalid(error.message);
    throw error;
  }
}

/** Every value is a text, and a column without a value is left out. Names are in small letters. */
function shown(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).filter(([, value]) => value !== null);
  return { links: [], ...Object.fromEntries(values.map(([name, value]) => [name.toLowerCase(), String(value)])) };
}
