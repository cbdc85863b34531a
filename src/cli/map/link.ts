import type { Mapping, MappingKind } from '../../store/sqlite/mappings.ts';
import type { Store } from '../../store/sqlite/store.ts';
import { accountFor } from '../account.ts';
import { UsageError } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { erpIdProblem, marketplaceIdProblem } from './kinds.ts';
import { leftText } from './left.ts';

interface LinkOptions {
  readonly account?: string;
  readonly sku?: string;
  readonly replace?: true;
  readonly json?: true;
}

/** What was named cannot be found, or not told from another. */
export class UnknownEntity extends Error {
  override readonly name = 'UnknownEntity';
}

export async function linkEntity(
  cli: Cli,
  { config, store, by }: Opened,
  kind: MappingKind,
  ids: { readonly marketplaceId: string; readonly erpId: string | undefined },
  options: LinkOptions,
): Promise<void> {
  const account = accountFor(config, options.account).name;
  const { marketplaceId } = ids;
  const erpId = await erpIdOf(store, account, kind, ids.erpId, options.sku);
  const problem = marketplaceIdProblem(kind, marketplaceId) ?? erpIdProblem(erpId);
  if (problem !== null) throw new UsageError(problem);
  const link = { account, kind, marketplaceId, erpId, how: 'operator' };
  const outcome = await store.links.link(link, options.replace === true, by);
  const beside = kind === 'order' ? await store.erp.ordersBeside(account, { marketplaceId, erpId }) : [];
  const left = beside.map(({ id }) => id);
  if (options.json) {
    printJson(cli, { account, kind, marketplace_id: marketplaceId, erp_id: erpId, outcome, left });
    return;
  }
  const both = `${kind} ${marketplaceId} of the marketplace and ${erpId} of the ERP`;
  print(cli, outcome === 'linked' ? `${both} are linked` : `${both} were linked already: nothing to do`);
  const others = leftText('erp-order', left);
  if (others !== null) print(cli, others);
  for (const unseen of await unseenOf(store, account, kind, marketplaceId, erpId)) note(cli, unseen);
  if (outcome === 'linked') noteWhoLooks(cli, config);
}

async function erpIdOf(
  store: Store,
  account: string,
  kind: MappingKind,
  erpId: string | undefined,
  sku: string | undefined,
): Promise<string> {
  if (erpId !== undefined && sku === undefined) return erpId;
  if (erpId !== undefined || sku === undefined || kind !== 'product') {
    throw new UsageError('name the ERP id, or for a product its SKU with --sku instead');
  }
  const found = await store.erp.productsBySku(account, sku);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only === undefined) {
    throw new UnknownEntity(`no product of the ERP has SKU ${sku}, as far as it was read: name its ERP id instead`);
  }
  const named = found.map(({ id }) => id).join(', ');
  throw new UnknownEntity(`${found.length} products of the ERP have SKU ${sku}: name the ERP id of one (${named})`);
}

/** A mistyped id shows only later, as something that is held: so it is told now. */
async function unseenOf(
  store: Store,
  account: string,
  kind: MappingKind,
  marketplaceId: string,
  erpId: string,
): Promise<string[]> {
  const seen: (readonly [string, unknown])[] = [];
  if (kind === 'product') {
    seen.push([
      `listing ${marketplaceId} on the marketplace`,
      await store.products.get(account, Number(marketplaceId)),
    ]);
    seen.push([`product ${erpId} in the ERP`, await store.erp.product(account, erpId)]);
  }
  if (kind === 'order') {
    seen.push([`order ${marketplaceId} on the marketplace`, await store.orders.get(account, marketplaceId)]);
    seen.push([`order ${erpId} in the ERP`, await store.erp.order(account, erpId)]);
  }
  // They are read only where they are kept in step.
  if (kind === 'customer' && (await store.customers.count(account)) > 0) {
    seen.push([
      `customer ${marketplaceId} on the marketplace`,
      await store.customers.get(account, Number(marketplaceId)),
    ]);
    seen.push([`customer ${erpId} in the ERP`, await store.erp.customer(account, erpId)]);
  }
  if (kind === 'payment') {
    seen.push([`payment ${marketplaceId} on the marketplace`, await store.payments.get(account, marketplaceId)]);
    seen.push([`payment ${erpId} in the ERP`, await store.erp.payment(account, erpId)]);
  }
  return seen.filter(([, found]) => found === null).map(([what]) => `No ${what} was read yet: is the id right?`);
}

interface UnlinkOptions {
  readonly account?: string;
  readonly marketplace?: string;
  readonly json?: true;
}

export async function unlinkEntity(
  cli: Cli,
  { config, store, by }: Opened,
  kind: MappingKind,
  erpId: string | undefined,
  options: UnlinkOptions,
): Promise<void> {
  const account = accountFor(config, options.account).name;
  const mapping = await findMapping(store, account, kind, erpId, options.marketplace);
  if (mapping.state === 'create-pending') {
    throw new UnknownEntity(
      `the create of ${kind} ${erpId ?? options.marketplace} is not settled, so there is no link yet: link what is really there, or say what became of it with "stockbridge jobs resolve"`,
    );
  }
  await store.links.unlink(mapping, by);
  const { marketplaceId } = mapping;
  if (options.json) {
    printJson(cli, { account, kind, marketplace_id: marketplaceId, erp_id: mapping.erpId, outcome: 'unlinked' });
    return;
  }
  print(cli, `${kind} ${marketplaceId} of the marketplace and ${mapping.erpId} of the ERP are not linked any more`);
  note(cli, AFTERWARDS[kind]);
  noteWhoLooks(cli, config);
}

const AFTERWARDS: Readonly<Record<MappingKind, string>> = {
  product: 'A listing that matches by external id or SKU is linked again; without one, a new listing is created.',
  order: 'An ERP order that carries its number is linked again.',
  customer:
    'Where customers are kept in step, one that matches is linked again; else its next order looks for it in the ERP.',
  payment: 'An equal payment of the same order is linked again; without one, it is recorded anew.',
};

async function findMapping(
  store: Store,
  account: string,
  kind: MappingKind,
  erpId: string | undefined,
  marketplaceId: string | undefined,
): Promise<Mapping> {
  if ((erpId === undefined) === (marketplaceId === undefined)) {
    throw new UsageError('name the ERP id, or the other side with --marketplace ID');
  }
  const found =
    marketplaceId === undefined
      ? await store.mappings.byErpId(account, kind, erpId ?? '')
      : await store.mappings.byMarketplaceId(account, kind, marketplaceId);
  if (found !== null) return found;
  const named = marketplaceId === undefined ? `${erpId} of the ERP` : `${marketplaceId} of the marketplace`;
  throw new UnknownEntity(`${kind} ${named} is not linked in account ${account}: nothing to do`);
}
