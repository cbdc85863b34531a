import { accountsFor } from '../../use/accounts.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import type { MappingKind } from '../../use/mapping/ids.ts';
import { COLUMNS } from '../../use/mapping/import.ts';
import { type ListedMapping, mappingsOf } from '../../use/mapping/link.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, printJson, stream, streamExactly } from '../output.ts';
import { shownInstant, table } from '../table.ts';

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
  for await (const row of mappingsOf(store, accounts, kind === undefined ? undefined : [kind])) rows.push(row);
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

interface ExportOptions {
  readonly kind?: MappingKind;
  readonly account?: string;
  readonly json?: true;
}

/** Prints every link as CSV, which `map import` reads again. Entities that are not linked yet are left out. */
export async function exportMappings(cli: Cli, { config, store }: Opened, options: ExportOptions): Promise<void> {
  const accounts = accountsFor(config, options.account).map(({ name }) => name);
  const kinds = options.kind === undefined ? undefined : [options.kind];
  const rows: Record<string, string>[] = [];
  if (!options.json && !(await streamExactly(cli, csvLine(COLUMNS)))) return;
  for await (const row of mappingsOf(store, accounts, kinds)) {
    if (row.state !== 'linked') continue;
    const cells = exportedCells(row);
    if (options.json) rows.push(Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? ''])));
    else if (!(await streamExactly(cli, csvLine(cells)))) return;
  }
  if (options.json) printJson(cli, rows);
}

function exportedCells({ account, kind, marketplaceId, erpId, how, createdAtMs }: ListedMapping): string[] {
  return [account, kind, marketplaceId ?? '', erpId ?? '', how, new Date(createdAtMs).toISOString()];
}
