import { showQuantities } from '../../domain/order-base.ts';
import { lastRead } from '../../flows/list-ages.ts';
import { parseJson, withTexts } from '../../http/json.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { MappingKind } from '../../store/links.ts';
import type { Dossier, Shown } from '../jobs/dossier.ts';
import { LISTS_OF } from '../lists-known.ts';
import type { SideShown, Sides } from './explanation.ts';
import { valueAt } from './stock.ts';

type Records = Pick<AccountRecords, 'account' | 'store'>;

/** Comparable fields, by their names on the marketplace and in the ERP. */
const ALIKE: Readonly<Record<MappingKind, readonly (readonly [marketplace: string, erp: string])[]>> = {
  product: [['sku', 'sku']],
  order: [],
  customer: [
    ['name', 'name'],
    ['license_number', 'license_number'],
    ['email', 'email'],
  ],
  payment: [
    ['total', 'amount'],
    ['currency', 'currency'],
  ],
  batch: [],
};

export async function sidesNow(
  context: Records,
  ids: EntityIds,
  shown: Pick<Dossier, 'marketplace' | 'erp'>,
): Promise<Sides> {
  const [there, here] = LISTS_OF[ids.kind];
  return {
    marketplace: { fields: shown.marketplace, readAt: await readAt(context, there) },
    erp: { fields: shown.erp, readAt: await readAt(context, here) },
    base: await baseOf(context, ids),
    differing: ALIKE[ids.kind].flatMap(([name, inErp]) =>
      differs(shown.marketplace?.[name], shown.erp?.[inErp]) ? [name] : [],
    ),
  };
}

/** The records at a moment. Only order statuses are recorded. */
export async function sidesThen({ account, store }: Records, ids: EntityIds, atMs: number): Promise<Sides> {
  const side = async (name: 'marketplace' | 'erp', key: string | null): Promise<SideShown> => {
    if (ids.kind !== 'order' || key === null) return UNKNOWN;
    const status = valueAt(await store.history.statuses(account, name, key), atMs);
    return status === null ? UNKNOWN : { fields: { status }, readAt: null };
  };
  return {
    marketplace: await side('marketplace', ids.marketplaceId),
    erp: await side('erp', ids.erpId),
    base: null,
    differing: [],
  };
}

const UNKNOWN: SideShown = { fields: null, readAt: null };

async function readAt({ account, store }: Records, list: string): Promise<string | null> {
  const atMs = await lastRead(store, account, list);
  return atMs === null ? null : new Date(atMs).toISOString();
}

function differs(there: Shown[string] | undefined, here: Shown[string] | undefined): boolean {
  if (there == null || here == null) return false;
  return String(there).toLowerCase() !== String(here).toLowerCase();
}

/** The state of the last agreement; for listings and customers, the last written values. */
async function baseOf({ account, store }: Records, { kind, marketplaceId, erpId }: EntityIds): Promise<Shown | null> {
  if (kind === 'order') {
    const record = marketplaceId === null ? null : await store.bases.get(account, marketplaceId);
    const agreed = record?.agreed ?? null;
    if (agreed === null) return null;
    const { quantities, statuses, charges } = agreed;
    return {
      lines: showQuantities(quantities),
      status: statuses === null ? null : `${statuses.marketplace}, ${statuses.erp} in the ERP`,
      discount: charges?.discount ?? null,
      shipping: charges?.shipping ?? null,
    };
  }
  const mapping = erpId === null ? null : await store.mappings.byErpId(account, kind, erpId);
  const fields = Object.entries(mapping?.echoes ?? {}).map(([name, echo]) => [name, writtenValue(echo.sent)] as const);
  return fields.length === 0 ? null : Object.fromEntries(fields);
}

/**
 * A written value for people.
 * @param sent lossless JSON in the marketplace's form; other text is unchanged
 */
export function writtenValue(sent: string): Shown[string] {
  const value = parsed(sent);
  if (typeof value === 'boolean' || value === null) return value;
  return Array.isArray(value) ? value.map(plain) : plain(value);
}

function parsed(text: string): unknown {
  try {
    return withTexts(parseJson(text));
  } catch {
    return text;
  }
}

/** `12.50 USD`; `name: House, country: NL`. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { amount, currency, ...rest } = value as Readonly<Record<string, unknown>>;
  if (amount === undefined) return fieldsText(value);
  const money = currency === undefined ? plain(amount) : `${plain(amount)} ${plain(currency)}`;
  return Object.keys(rest).length === 0 ? money : `${money}, ${fieldsText(rest)}`;
}

function fieldsText(of: object): string {
  return Object.entries(of)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${plain(value)}`)
    .join(', ');
}
