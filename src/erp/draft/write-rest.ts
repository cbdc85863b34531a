import { type Fields } from './fields.ts';
import type { Endpoint, Param, RestSource } from './rest-source.ts';
import { LISTS, SKU_NAMES } from './roles.ts';
import { customerRow, orderRow, productRow, type RowStyle, stockRow } from './rows.ts';
import { expressionOf, isNameable, timeRule } from './rules.ts';
import { choiceReasons, type Reading, type Readings } from './score.ts';
import { type Field, words } from './shape.ts';
import { Commented, decide, TrustedText } from './yaml.ts';

/** The section `erp` of `type: rest`. Pure. */

const SIZE = 100;

export function restSection(source: RestSource, readings: Readings<Endpoint>, currency: string): object {
  const { products, stock, orders, customers } = readings;
  const { url, auth, ping } = source;
  const style: RowStyle = { currency, time: timeRule, asOf: '$as_of' };
  const lists = {
    products: listOf(products, 'products', (fields) => productRow(fields, style)),
    stock: listOf(stock, 'stock', (fields) => stockRow(fields, style)),
    orders: listOf(orders, 'orders', () => (orders === null ? {} : orderRow(orders, style))),
    customers: listOf(customers, 'customers', (fields) => customerRow(fields, style)),
  };
  const usesZone = JSON.stringify(lists).includes('$settings.zone');
  return {
    type: 'rest',
    url:
      url === null
        ? decide('https://erp.example', 'the address of the ERP')
        : new Commented(url, 'as the document says'),
    auth:
      auth === null
        ? decide({ scheme: 'none' }, 'how the ERP knows the bridge; "stockbridge guide rest" lists the schemes')
        : new Commented(auth.section, auth.shown),
    ...(usesZone
      ? {
          settings: {
            zone: decide('UTC', 'the zone on the clocks of those who write the times, such as Europe/Berlin'),
          },
        }
      : {}),
    ...(ping === null ? {} : { ping: { request: { path: ping } } }),
    lists,
    finds: findsOf(readings),
    errors: errorsOf(orders?.collection.place ?? null),
    writes: new Commented(
      {},
      'decide: what the create of an order needs. Until it is described here, orders are not written.',
      ...(orders?.collection.place.writes ?? []),
      '"stockbridge guide rest-example" has order-create and order-update of a whole system.',
    ),
  };
}

function listOf(reading: Reading<Endpoint> | null, name: string, row: (fields: Fields) => object): unknown {
  if (reading === null) {
    if (name === 'customers') return undefined;
    return decide({ request: { path: `/${name}` } }, `where the ${name} are; nothing looks like them`);
  }
  const { fields, collection } = reading;
  const { place } = collection;
  const since = paramOf(place, SINCE);
  const stamped = fields['changed_at'] !== undefined && since !== undefined;
  const asOf = answerField(place, /^as of$/);
  const complete = answerField(place, /^complete$/);
  const section = {
    request: requestOf(
      reading,
      stamped ? [[since.name, new Commented(new TrustedText('{{ $since }}'), 'its name says since when')]] : [],
    ),
    items: place.items ?? undefined,
    paging: pagingOf(place),
    since: stamped ? sinceOf(since) : undefined,
    as_of: asOf && expressionOf(asOf),
    complete: complete && expressionOf(complete),
    row: row(fields),
  };
  return new Commented(section, ...choiceReasons(reading));
}

const SINCE =
  /(changed|change|modified|updated|update|geaendert)( at| on)? ?(since|after|from|seit|ab|gte?|min)$|^(since|seit|(changed|modified|updated))$/;
const PAGE = /^(page|seite)( ?(no|nr|num|number|index))?$/;
const OFFSET = /^(offset|skip|start)$/;
const CURSOR = /^(cursor|after|(page|next) token|starting after|continuation( token)?)$/;
const LIMIT = /^(limit|per page|page ?size|size|count|top|max( results)?|anzahl)$/;

function paramOf({ params }: Endpoint, names: RegExp): Param | undefined {
  return params.find(({ name }) => names.test(words(name)));
}

function answerField({ answer }: Endpoint, names: RegExp): Field | undefined {
  return answer.find((one) => isNameable(one) && names.test(words(one.path.at(-1) ?? '')));
}

/** The fields that the row needs, except those of its lines. */
function usedBy({ fields, lines }: Reading<Endpoint>): Field[] {
  const list = fields['lines']?.field;
  const inside = Object.values(lines?.fields ?? {}).flatMap((found) => found?.field ?? []);
  return Object.values(fields).flatMap((found) => {
    if (found === undefined) return [];
    return found.field === list ? { ...list, fields: inside } : found.field;
  });
}

function requestOf(reading: Reading<Endpoint>, own: readonly (readonly [string, unknown])[]): object {
  const { place } = reading.collection;
  if (place.query !== null) {
    const variables =
      place.params.length === 0
        ? {}
        : { variables: { first: new TrustedText('{{ $size }}'), after: new TrustedText('{{ $cursor }}') } };
    const path = decide(place.path, 'the path of its GraphQL endpoint, which no schema states');
    return { method: 'POST', path, body: { query: place.query(usedBy(reading)), ...variables } };
  }
  const paged = (
    [
      [PAGE, '$page'],
      [OFFSET, '$offset'],
      [CURSOR, '$cursor'],
      [LIMIT, '$size'],
    ] as const
  ).flatMap(([names, value]) => {
    const param = paramOf(place, names);
    return param === undefined ? [] : [[param.name, new TrustedText(`{{ ${value} }}`)] as const];
  });
  const given = new Map<string, unknown>([...own, ...paged]);
  for (const { name, required } of place.params)
    if (required && !given.has(name)) given.set(name, decide('', 'the call needs this parameter'));
  return given.size === 0 ? { path: place.path } : { path: place.path, query: Object.fromEntries(given) };
}

function pagingOf(place: Endpoint): unknown {
  const limit = paramOf(place, LIMIT);
  const size = Math.max(2, Math.min(limit?.most ?? SIZE, 10_000));
  const total = answerField(place, /^(total|total (count|items|results|rows)|count)$/);
  const counted =
    total === undefined ? {} : { total: new Commented(expressionOf(total), 'the number of all rows, by its name') };
  const next = answerField(
    place,
    /^(next|next cursor|next page token|cursor|end cursor|next token|continuation token)$/,
  );
  if (place.query !== null && next !== undefined) {
    const info = expressionOf({ ...next, path: next.path.slice(0, -1) });
    return { by: 'cursor', next: `${info}.hasNextPage ? ${info}.endCursor`, size };
  }
  if (paramOf(place, CURSOR) !== undefined && next !== undefined)
    return { by: 'cursor', next: new Commented(expressionOf(next), 'the next cursor, by its name'), size };
  const link = answerField(place, /^(next|next link|next url|odata nextlink)$/);
  if (paramOf(place, PAGE) !== undefined)
    return { by: 'page', first: decide(1, 'whether the first page is 0 or 1'), size, ...counted };
  if (paramOf(place, OFFSET) !== undefined) return { by: 'offset', size, ...counted };
  if (link !== undefined) return { by: 'next-link', next: expressionOf(link), size };
  return new Commented(
    { by: 'none', ...counted },
    'decide: whether one answer holds all rows; no parameter looks like paging',
  );
}

function sinceOf({ isNumber }: Param): unknown {
  return isNumber ? { format: decide('seconds', 'whether it counts seconds or milliseconds since 1970') } : {};
}

function findsOf({ orders, stock, products }: Readings<Endpoint>): object {
  const [exact, like] = LISTS.orders.fields.reference.names;
  const find = (reading: Reading<Endpoint> | null, names: readonly RegExp[], value: string) => {
    const place = reading?.collection.place;
    const param = names.map((one) => place && paramOf(place, one)).find((one) => one !== undefined);
    return reading === null || param === undefined
      ? undefined
      : { request: requestOf(reading, [[param.name, new TrustedText(`{{ ${value} }}`)]]) };
  };
  const byId = orders?.collection.place.byId?.replace(/\{[^{}]+\}(\/?)$/, '{{ $id }}$1');
  const skus = find(stock, SKU_NAMES, '$skus');
  return {
    'products-by-sku': find(products, SKU_NAMES, '$sku'),
    'stock-by-sku': skus && { ...skus, batch: decide(1, 'how many SKUs one call may ask for') },
    'orders-by-reference': find(orders, [exact, like], '$reference'),
    'order-by-id': byId === undefined ? undefined : { request: { path: new TrustedText(byId) } },
  };
}

/** An order is missing only if the answer says so: a proxy may also return 404. */
function errorsOf(place: Endpoint | null): unknown {
  if (place === null || place.byId === null) return undefined;
  const { missing } = place;
  const rule = (body: string) => [{ when: { status: 404, body }, kind: 'not-found' }];
  if (missing === null) return decide(rule('$exists(error)'), 'how the ERP says that there is no such order');
  return new Commented(rule(`$exists(${expressionOf(missing)})`), 'as the document has it for 404');
}
