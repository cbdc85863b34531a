import type { ListedMapping, MappingKind } from '../../store/sqlite/mappings.ts';
import type { Store } from '../../store/sqlite/store.ts';
import { accountsFor } from '../account.ts';
import { shownInstant } from '../instant.ts';
import { type Cli, note, printJson, stream } from '../output.ts';
import { table } from '../table.ts';
import type { Opened } from '../with-store.ts';
import { KINDS } from './kinds.ts';

const PAGE = 500;

/** Every mapping of these accounts and kinds, by account, then by kind, then in the order of their making. */
export async function* mappingsOf(
  store: Store,
  accounts: readonly string[],
  kinds: readonly MappingKind[],
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

interface ListOptions {
  readonly account?: string;
  readonly json?: true;
}

export async function listMappings(
  cli: Cli,
  { config, store }: Opened,
  kind: MappingKind | undefined,
  options: ListOptions,
): Promise<void> {
  const accounts = accountsFor(config, options.account).map(({ name }) => name);
  const rows: ListedMapping[] = [];
  for await (const row of mappingsOf(store, accounts, kind === undefined ? KINDS : [kind])) rows.push(row);
  if (options.json) {
    printJson(cli, rows.map(asJson));
    return;
  }
  if (rows.length === 0) {
    note(cli, 'Nothing is linked yet.');
    return;
  }
  const several = config.accounts.length > 1;
  const head = ['KIND', 'MARKETPLACE', 'ERP', 'SKU', 'HOW', 'SINCE', ...(several ? ['ACCOUNT'] : [])];
  const lines = table([head, ...rows.map((row) => [...cellsOf(row), ...(several ? [row.account] : [])])]);
  for (const line of lines) if (!(await stream(cli, line))) return;
}

function cellsOf({ kind, marketplaceId, erpId, sku, how, state, createdAtMs }: ListedMapping): string[] {
  const settled = state === 'linked' ? how : 'being created';
  return [kind, marketplaceId ?? '-', erpId ?? '-', sku ?? '', settled, shownInstant(createdAtMs)];
}

function asJson({ account, kind, marketplaceId, erpId, sku, state, how, createdAtMs }: ListedMapping) {
  const created_at = new Date(createdAtMs).toISOString();
  return { account, kind, marketplace_id: marketplaceId, erp_id: erpId, sku, state, how, created_at };
}
