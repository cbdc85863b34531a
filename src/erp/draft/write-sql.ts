import type { Address } from '../sql/address.ts';
import type { Table } from './database.ts';
import { type Fields, type Found, whyOf } from './fields.ts';
import { RESERVED_QUESTION } from './rows.ts';
import { isOurs, MULTIPLIER_QUESTION, STATUS_QUESTION, saleStatusIn, statusMeanings } from './rules.ts';
import { choiceReasons, linkTo, type Reading, type Readings } from './score.ts';
import { type Column, type Placeholder, type SqlText, sqlText } from './sql-text.ts';
import { Commented, decide, TrustedText } from './yaml.ts';

/** The section `erp` of `type: sql`. Pure. */

export interface SqlSource {
  readonly address: Address;
  readonly user: string;
  /** The address without user and password. */
  readonly url: string;
}

interface Writing {
  readonly sql: SqlText;
  readonly readings: Readings<Table>;
  readonly currency: string;
}

export function sqlSection({ address, user, url }: SqlSource, readings: Readings<Table>, currency: string): object {
  const writing: Writing = { sql: sqlText(address.dialect), readings, currency };
  const { products, orders, customers } = readings;
  const roles = ['id', 'name', 'email', 'phone', 'marketplace_id', 'changed_at'];
  return {
    type: 'sql',
    url,
    user,
    password: new TrustedText('${env:ERP_PASSWORD}'),
    zone: decide('UTC', 'the zone on the clocks of those who write the times, such as Europe/Berlin'),
    lists: {
      products:
        listOf(writing, products, productColumns(writing)) ?? missing(writing, 'products', productColumns(writing)),
      stock: stockOf(writing) ?? missing(writing, 'stock', STOCK_COLUMNS),
      orders: ordersOf(writing),
      customers: listOf(writing, customers, writing.sql.plain(customers?.fields ?? {}, roles)),
    },
    finds: {
      'stock-by-sku': condition(writing, products, 'sku', 'in (:skus)'),
      'orders-by-reference': byReference(writing),
      'order-by-id': condition(writing, orders, 'id', '= :id'),
    },
    writes: writesOf(writing),
  };
}

const NO_STAMP: Placeholder = [
  'current_timestamp',
  'no column looks like the time of a change: the list is read whole and compared',
];

/** A list without a table: all needed columns and no rows. */
function missing({ sql }: Writing, list: string, columns: readonly Column[]): Commented {
  const query = sql.query(columns, `${sql.nowhere} where 1 = 0 and {filter}`.trim());
  return decide(
    { query },
    `where the ${list} are; no table looks like them. "erp draft --table ${list}=NAME" names it`,
  );
}

const STOCK_COLUMNS: readonly Column[] = [
  ['null', 'product_id', 'decide: the key of the product'],
  ['null', 'sku', 'decide: the SKU'],
  ['null', 'on_hand', 'decide: what is in the house'],
  ['null', 'reserved', 'decide: what open orders hold of it'],
];

function listOf({ sql }: Writing, reading: Reading<Table> | null, columns: readonly Column[]): object | undefined {
  if (reading === null) return undefined;
  const stamp = reading.fields['changed_at'];
  return {
    query: sql.query(columns, `from ${reading.collection.place.sql} t where {filter}`, ...choiceReasons(reading)),
    changed: stamp?.field.type === 'time' ? `${sql.at('t', stamp.field)} >= :since` : undefined,
  };
}

function condition({ sql }: Writing, reading: Reading<Table> | null, role: string, compared: string): unknown {
  const found = reading?.fields[role];
  return found === undefined
    ? decide(`1 = 0 and 1 ${compared}`, 'the condition')
    : `${sql.at('t', found.field)} ${compared}`;
}

/** An order that a person made has its own number as reference. */
function byReference(writing: Writing): unknown {
  const { orders } = writing.readings;
  const { reference, id } = orders?.fields ?? {};
  const own = condition(writing, orders, reference === undefined ? 'id' : 'reference', '= :reference');
  if (reference?.field.nullable !== true || id === undefined) return own;
  const { at, text } = writing.sql;
  return `${String(own)} or (${at('t', reference.field)} is null and ${text(at('t', id.field))} = :reference)`;
}

function productColumns({ sql, readings: { products }, currency }: Writing): Column[] {
  const fields = products?.fields ?? {};
  const { active, locked, status, deleted } = fields;
  const shown = active ?? locked;
  const sale = shown === undefined ? null : sql.holds(shown, active !== undefined);
  const byStatus = shown === undefined && status !== undefined ? saleStatusIn(status.field) : null;
  return [
    ...sql.column(fields, 'id', ['null', 'decide: the key']),
    ...sql.column(fields, 'sku', ['null', 'decide: the SKU']),
    ...sql.plain(fields, ['name', 'description']),
    sale !== null && shown !== undefined
      ? [sale, 'active', whyOf(shown)]
      : [
          byStatus === null || status === undefined
            ? 'true'
            : `${sql.text(sql.at('t', status.field))} = ${sql.literal(byStatus)}`,
          'active',
          'decide: which products are for sale',
        ],
    deleted === undefined ? ['false', 'deleted', 'no column looks like it'] : goneColumn(sql, deleted),
    ...sql.column(fields, 'price.amount', ['null', 'decide: the price; no column looks like it']),
    ...sql.column(fields, 'price.currency', [sql.literal(currency), 'decide: the currency; no column tells it']),
    ...sql.column(fields, 'unit_multiplier', ['1', `decide: ${MULTIPLIER_QUESTION}`]),
    ...sql.column(fields, 'changed_at', NO_STAMP),
  ];
}

function goneColumn(sql: SqlText, deleted: Found): Column {
  const { field, evidence } = deleted;
  const holds = field.type === 'time' ? null : sql.holds(deleted, true);
  if (holds !== null) return [holds, 'deleted', whyOf(deleted)];
  const why = field.type === 'time' ? whyOf(deleted) : `decide: which values mean that it is deleted (${evidence})`;
  return [`${sql.at('t', field)} is not null`, 'deleted', why];
}

/** Stock from its own table, or from the products. */
function stockOf({ sql, readings: { products, stock } }: Writing): object | undefined {
  const { id: key, sku } = products?.fields ?? {};
  if (stock === null || products === null || key === undefined || sku === undefined) return undefined;
  const { fields, collection } = stock;
  const own = collection.name === products.collection.name;
  const link = linkTo(collection, products.collection);
  const [mine, theirs] = link === undefined ? [fields['sku']?.field, sku.field] : [link, key.field];
  if (!own && mine === undefined) return undefined;
  const figure = (role: string, otherwise: readonly Column[]): readonly Column[] => {
    const found = fields[role];
    if (found === undefined) return otherwise;
    if (own || mine === undefined) return [[sql.exact('t', found.field), role, whyOf(found)]];
    const sum = `(select sum(${sql.exact('s', found.field)}) from ${collection.place.sql} s where ${sql.at('s', mine)} = ${sql.at('t', theirs)})`;
    return [[sum, role, `decide: whether every row counts. A product without a row is set aside (${found.evidence})`]];
  };
  const both = fields['on_hand'] !== undefined && fields['available'] !== undefined;
  const noReserved: Column =
    fields['on_hand'] === undefined
      ? ['0', 'reserved', 'already subtracted from what is available']
      : ['null', 'reserved', `decide: ${RESERVED_QUESTION}`];
  const columns: Column[] = [
    [sql.at('t', key.field), 'product_id', whyOf(key)],
    [sql.at('t', sku.field), 'sku', whyOf(sku)],
    ...figure('on_hand', []),
    ...figure('reserved', both ? [] : [noReserved]),
    ...figure('available', []),
  ];
  return {
    query: sql.query(columns, `from ${products.collection.place.sql} t where {filter}`, ...choiceReasons(stock)),
  };
}

function statusColumn({ sql }: Writing, { status }: Fields): Column {
  if (status === undefined) return ['null', 'status', `decide: ${STATUS_QUESTION}; no column looks like it`];
  const { field, evidence } = status;
  if (isOurs(field)) return [sql.at('t', field), 'status', evidence];
  const seen = sql.text(sql.at('t', field));
  const cases = statusMeanings(field).map(
    ([value, meaning]) => `\n    when ${sql.literal(value)} then ${sql.literal(meaning)}`,
  );
  const text = cases.length === 0 ? seen : `case ${seen}${cases.join('')}\n    else concat('status ', ${seen}) end`;
  return [text, 'status', `decide: ${STATUS_QUESTION} (${evidence})`];
}

function buyerColumns(
  { sql, readings: { customers } }: Writing,
  { fields, collection }: Reading<Table>,
): readonly Column[] {
  const link = customers === null ? undefined : linkTo(collection, customers.collection);
  const name = customers?.fields['name'];
  if (customers === null || link === undefined || name === undefined)
    return sql.plain(fields, ['customer.id', 'customer.name']);
  const { place } = customers.collection;
  const found = `c.${sql.name(link.refersTo?.field ?? '')} = ${sql.at('t', link)}`;
  return [
    [sql.at('t', link), 'customer.id', `refers to ${customers.collection.name}`],
    [`(select ${sql.at('c', name.field)} from ${place.sql} c where ${found})`, 'customer.name', whyOf(name)],
  ];
}

function orderColumns(writing: Writing, reading: Reading<Table> | null): Column[] {
  const { sql, currency } = writing;
  const fields = reading?.fields ?? {};
  const { reference } = fields;
  const id = fields['id'] ?? reference;
  const key = id === undefined ? 'null' : sql.at('t', id.field);
  const theirs = reference === undefined ? null : sql.at('t', reference.field);
  const mayLack = reference?.field.nullable === true;
  const number = theirs === null ? key : mayLack ? `coalesce(${sql.text(theirs)}, ${sql.text(key)})` : theirs;
  const origin = mayLack ? `case when ${theirs} is null then 'erp' else 'marketplace' end` : "'erp'";
  return [
    [key, 'id', id === undefined ? 'decide: the key' : whyOf(id)],
    [
      number,
      'reference',
      reference === undefined ? 'decide: which column holds the number of the marketplace' : whyOf(reference),
    ],
    [origin, 'origin', 'decide: what tells the orders of the bridge from those of people'],
    statusColumn(writing, fields),
    ...(reading === null ? [] : buyerColumns(writing, reading)),
    ...sql.column(fields, 'currency', [sql.literal(currency), 'decide: the currency; no column tells it']),
    ...['discount', 'shipping', 'tax'].flatMap((role) =>
      sql.column(fields, role, ['0', `no column looks like the ${role}`]),
    ),
    ...sql.column(fields, 'total', ['null', 'decide: the total; no column looks like it']),
    ...sql.plain(fields, ['note']),
    ...sql.column(fields, 'changed_at', NO_STAMP),
  ];
}

function ordersOf(writing: Writing): object {
  const { orders } = writing.readings;
  if (orders === null) {
    const { value, comments } = missing(writing, 'orders', orderColumns(writing, null));
    return new Commented({ ...(value as object), lines: linesOf(writing, null) }, ...comments);
  }
  return { ...listOf(writing, orders, orderColumns(writing, orders)), lines: linesOf(writing, orders.lines) };
}

function linesOf({ sql, readings: { products } }: Writing, lines: Reading<Table>['lines']): unknown {
  const order = lines?.fields['order_id'];
  if (lines === null || lines.collection === null || order === undefined) {
    const none = ['order_id', 'sku', 'quantity', 'unit_price'].map((name) => `null as ${name}`).join(', ');
    return decide(
      `select ${none}${sql.nowhere} where 1 = 0 and 1 in (:ids)`,
      'where the lines of orders are; no table looks like them. "erp draft --table lines=NAME" names it',
    );
  }
  const { collection, fields } = lines;
  const link = products === null ? undefined : linkTo(collection, products.collection);
  const sku = products?.fields['sku'];
  const absent: Placeholder = ['null', 'decide: no column looks like it'];
  const joined = fields['sku'] === undefined && products !== null && link !== undefined && sku !== undefined;
  const columns: Column[] = [
    [sql.at('t', order.field), 'order_id', order.evidence],
    ...(joined ? [[sql.at('a', sku.field), 'sku', sku.evidence] as const] : sql.column(fields, 'sku', absent)),
    ...sql.column(fields, 'quantity', absent),
    ...sql.column(fields, 'unit_price', absent),
    ...sql.plain(fields, ['shipped', 'given_up']),
  ];
  const join = joined
    ? ` join ${products.collection.place.sql} a on a.${sql.name(link.refersTo?.field ?? '')} = ${sql.at('t', link)}`
    : '';
  const own = sql.at('t', order.field);
  const rest = `from ${collection.place.sql} t${join}\nwhere ${own} in (:ids) order by ${own}`;
  return sql.query(columns, rest, `${collection.shown} has the lines`);
}

/** Steps that match nothing, so that writes are refused until a person describes them. */
function writesOf({ sql, readings: { orders } }: Writing): Commented {
  const step = (key: object) => {
    const refused = {
      rows: 1,
      message: 'This write is not described yet.',
      sql: `select 1 as id${sql.nowhere} where 1 = 0`,
    };
    return [{ ...key, ...refused }];
  };
  const needs = [orders?.collection, orders?.lines?.collection].flatMap((one) =>
    one ? [`${one.shown} needs ${one.place.required.join(', ') || 'no column'}`] : [],
  );
  return new Commented(
    { 'order-create': step({ name: 'made' }), 'order-update': step({}) },
    'decide: what the create of an order needs. These statements refuse every write until they are replaced.',
    ...needs,
    '"stockbridge guide sql" has the statements of a whole shop.',
  );
}
