import type { ListedMapping as Listed, Mapping } from '../../store/links.ts';
import type { Store } from '../../store/store.ts';
import { NotFound, UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import { erpIdProblem, KINDS, type MappingKind, marketplaceIdProblem } from './ids.ts';

/** A link, or one that is being made. */
export type ListedMapping = Listed;

const PAGE = 500;

/** Every mapping of these accounts and kinds, by account, then by kind, then in the order of their making. */
export async function* mappingsOf(
  store: Store,
  accounts: readonly string[],
  kinds: readonly MappingKind[] = KINDS,
): AsyncGenerator<ListedMapping> {
  for (const account of accounts) {
    for (const kind of kinds) {
      for (let afterId = 0; ; ) {
        const page = await store.mappings.list(account, kind, afterId, PAGE);
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        afterId = last.id;
      }
    }
  }
}

export interface Linking {
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string | undefined;
  /** The SKU, instead of the ERP id of a product. */
  readonly sku: string | undefined;
  /** Takes the place of links that stand in the way. */
  readonly replace: boolean;
}

export interface Linked {
  readonly erpId: string;
  readonly outcome: Awaited<ReturnType<Store['links']['link']>>;
  /** Other ERP orders that carry the same number, and stay as they are. */
  readonly left: readonly string[];
  /** The ids among the two that were never read: they may be mistyped. */
  readonly unseen: readonly string[];
}

export async function linkEntities({ store, by }: Opened, linking: Linking): Promise<Linked> {
  const { account, kind, marketplaceId, replace } = linking;
  const erpId = await erpIdOf(store, linking);
  const problem = marketplaceIdProblem(kind, marketplaceId) ?? erpIdProblem(erpId);
  if (problem !== null) throw new UsageError(problem);
  const outcome = await store.links.link({ account, kind, marketplaceId, erpId, how: 'operator' }, replace, by);
  const beside = kind === 'order' ? await store.erp.ordersBeside(account, { marketplaceId, erpId }) : [];
  const unseen = await unseenOf(store, account, kind, marketplaceId, erpId);
  return { erpId, outcome, left: beside.map(({ id }) => id), unseen };
}

async function erpIdOf(store: Store, { account, kind, erpId, sku }: Linking): Promise<string> {
  if (erpId !== undefined && sku === undefined) return erpId;
  if (erpId !== undefined || sku === undefined || kind !== 'product') {
    throw new UsageError('name the ERP id, or for a product its SKU with --sku instead');
  }
  const found = await store.erp.productsBySku(account, sku);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only === undefined) {
    throw new NotFound(`no product of the ERP has SKU ${sku}, as far as it was read: name its ERP id instead`);
  }
  const named = found.map(({ id }) => id).join(', ');
  throw new NotFound(`${found.length} products of the ERP have SKU ${sku}: name the ERP id of one (${named})`);
}

/** A mistyped id would show only later, as a held entity, so it is reported now. */
async function unseenOf(
  store: Store,
  account: string,
  kind: MappingKind,
  marketplaceId: string,
  erpId: string,
): Promise<string[]> {
  // Customers are read only where they are kept in step.
  if (kind === 'customer' && (await store.customers.count(account)) === 0) return [];
  const { there, onMarketplace, inErp } = SIDES[kind];
  const seen = [
    [`${there} ${marketplaceId} on the marketplace`, await onMarketplace(store, account, marketplaceId)],
    [`${kind} ${erpId} in the ERP`, await inErp(store, account, erpId)],
  ] as const;
  return seen.filter(([, found]) => found === null).map(([what]) => what);
}

type Find = (store: Store, account: string, id: string) => Promise<object | null>;

/** What a person calls the marketplace's side of each kind, and where the shadows have both. */
const SIDES: Readonly<
  Record<MappingKind, { readonly there: string; readonly onMarketplace: Find; readonly inErp: Find }>
> = {
  product: {
    there: 'listing',
    onMarketplace: ({ products }, account, id) => products.get(account, Number(id)),
    inErp: ({ erp }, account, id) => erp.product(account, id),
  },
  order: {
    there: 'order',
    onMarketplace: ({ orders }, account, id) => orders.get(account, id),
    inErp: ({ erp }, account, id) => erp.order(account, id),
  },
  customer: {
    there: 'customer',
    onMarketplace: ({ customers }, account, id) => customers.get(account, Number(id)),
    inErp: ({ erp }, account, id) => erp.customer(account, id),
  },
  payment: {
    there: 'payment',
    onMarketplace: ({ payments }, account, id) => payments.get(account, id),
    inErp: ({ erp }, account, id) => erp.payment(account, id),
  },
};

/** Takes away a link that is named by one of its two ids. */
export async function unlinkEntities({ store, by }: Opened, named: UnlinkNamed): Promise<Mapping> {
  const mapping = await findMapping(store, named);
  if (mapping.state === 'create-pending') {
    throw new NotFound(
      `the create of ${named.kind} ${named.erpId ?? named.marketplaceId} is not settled, so there is no link yet: link what is really there, or say what became of it with "stockbridge jobs resolve"`,
    );
  }
  await store.links.unlink(mapping, by);
  return mapping;
}

export interface UnlinkNamed {
  readonly account: string;
  readonly kind: MappingKind;
  readonly erpId: string | undefined;
  readonly marketplaceId: string | undefined;
}

async function findMapping(store: Store, { account, kind, erpId, marketplaceId }: UnlinkNamed): Promise<Mapping> {
  if ((erpId === undefined) === (marketplaceId === undefined)) {
    throw new UsageError('name the ERP id, or the other side with --marketplace ID');
  }
  const found =
    marketplaceId === undefined
      ? await store.mappings.byErpId(account, kind, erpId ?? '')
      : await store.mappings.byMarketplaceId(account, kind, marketplaceId);
  if (found !== null) return found;
  const named = marketplaceId === undefined ? `${erpId} of the ERP` : `${marketplaceId} of the marketplace`;
  throw new NotFound(`${kind} ${named} is not linked in account ${account}: nothing to do`);
}
