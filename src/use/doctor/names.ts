import { CallFailure } from '../../domain/failure.ts';
import { valueAt } from '../../marketplace/dialect.ts';
import { RECORD_FIELDS, type RecordKind } from '../../marketplace/operations/record-names.ts';
import { untyped } from '../api/call.ts';
import { type Finding, failed, ok, warn } from './finding.ts';
import type { MarketplaceParts } from './marketplace.ts';

const LISTS = { order: 'orders.list', product: 'products.list', customer: 'customers.list' } as const;
/** Enough for a field that some rows lack. */
const ROWS = 200;

/** Looks for every field of `marketplace.fields` in the latest rows. A field in no row is probably misspelled. */
export async function* checkNames(parts: MarketplaceParts): AsyncGenerator<Finding> {
  for (const kind of ['order', 'product', 'customer'] as const) {
    const named = namedFields(parts, kind);
    if (named.length > 0) yield await checkKind(parts, kind, named);
  }
}

interface Named {
  readonly setting: string;
  readonly place: string;
}

function namedFields({ config }: MarketplaceParts, kind: RecordKind): Named[] {
  const { places } = config.marketplace.dialect[kind];
  return Object.entries(RECORD_FIELDS[kind]).flatMap(([setting, name]) => {
    const place = places[name] ?? null;
    return place === null ? [] : [{ setting: `marketplace.fields.${kind}.${setting}`, place }];
  });
}

async function checkKind(parts: MarketplaceParts, kind: RecordKind, named: readonly Named[]): Promise<Finding> {
  const about = `names of ${kind} fields`;
  const settings = named.map(({ setting, place }) => `${setting} (${place})`).join(', ');
  let rows: readonly unknown[];
  try {
    rows = await latest(parts, kind);
  } catch (error) {
    if (error instanceof CallFailure) return warn(about, `not looked for: ${settings}. ${error.message}`, null);
    return failed(about, error);
  }
  if (rows.length === 0) return warn(about, `not looked for, since there is no ${kind} yet: ${settings}`, null);
  const absent = named.filter(({ place }) => rows.every((row) => valueAt(row, place) === undefined));
  if (absent.length === 0) return ok(about, `in the latest ${rows.length} rows: ${settings}`);
  const text = `in none of the latest ${rows.length} rows: ${absent.map(({ setting, place }) => `${setting} (${place})`).join(', ')}`;
  return warn(about, text, `compare with "stockbridge api ${LISTS[kind]}", which shows the names as they are sent`);
}

/** As sent. Without customer flows, customers come from the latest orders. */
async function latest({ client, config, signal }: MarketplaceParts, kind: RecordKind): Promise<readonly unknown[]> {
  const inOrders = kind === 'customer' && config.customers === null;
  const id = inOrders ? LISTS.order : LISTS[kind];
  const query = { page_size: ROWS, ordering: '-modified' };
  const { raw } = await untyped(client).list(id, { path: {}, query }, { lane: 'operator', signal });
  return inOrders ? raw.flatMap((row) => valueAt(row, 'customer') ?? []) : raw;
}
