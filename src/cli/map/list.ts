import { accountNames } from '../../use/accounts.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import type { MappingKind } from '../../use/mapping/ids.ts';
import { COLUMNS } from '../../use/mapping/import.ts';
import { type ListedMapping, mappingsOf, shownMapping } from '../../use/mapping/list.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, printJson, streamExactly, streamLines } from '../output.ts';
import { shownInstant, table } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';

export async function listMappings(
  cli: Cli,
  { config, store }: Opened,
  kind: MappingKind | undefined,
  { account, json }: VerbOptions,
): Promise<void> {
  const accounts = accountNames(config, account);
  const rows: ListedMapping[] = [];
  for await (const row of mappingsOf(store, accounts, kind === undefined ? undefined : [kind])) rows.push(row);
  if (json) return printJson(cli, rows.map(shownMapping));
  if (rows.length === 0) return note(cli, 'Nothing is linked yet.');
  const several = config.accounts.length > 1;
  const head = ['KIND', 'MARKETPLACE', 'ERP', 'SKU', 'HOW', 'SINCE', ...(several ? ['ACCOUNT'] : [])];
  await streamLines(cli, table([head, ...rows.map((row) => [...cellsOf(row), ...(several ? [row.account] : [])])]));
}

function cellsOf({ kind, marketplaceId, erpId, sku, how, state, createdAtMs }: ListedMapping): string[] {
  const settled = state === 'linked' ? how : 'being created';
  return [kind, marketplaceId ?? '-', erpId ?? '-', sku ?? '', settled, shownInstant(createdAtMs)];
}

/** Prints all links as CSV for `map import`. */
export async function exportMappings(
  cli: Cli,
  { config, store }: Opened,
  { kind, account, json }: VerbOptions & { kind?: MappingKind },
): Promise<void> {
  const accounts = accountNames(config, account);
  const kinds = kind === undefined ? undefined : [kind];
  const rows: Record<string, string>[] = [];
  if (!json && !(await streamExactly(cli, csvLine(COLUMNS)))) return;
  for await (const row of mappingsOf(store, accounts, kinds)) {
    if (row.state !== 'linked') continue;
    const cells = exportedCells(row);
    if (json) rows.push(Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? ''])));
    else if (!(await streamExactly(cli, csvLine(cells)))) return;
  }
  if (json) printJson(cli, rows);
}

function exportedCells({ account, kind, marketplaceId, erpId, how, createdAtMs }: ListedMapping): string[] {
  return [account, kind, marketplaceId ?? '', erpId ?? '', how, new Date(createdAtMs).toISOString()];
}
