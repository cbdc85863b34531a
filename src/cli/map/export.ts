import type { ListedMapping, MappingKind } from '../../store/sqlite/mappings.ts';
import { accountsFor } from '../account.ts';
import { type Cli, printJson, streamExactly } from '../output.ts';
import type { Opened } from '../with-store.ts';
import { csvLine } from './csv.ts';
import { KINDS } from './kinds.ts';
import { mappingsOf } from './list.ts';

export const COLUMNS = ['account', 'kind', 'marketplace_id', 'erp_id', 'how', 'created_at'] as const;

interface ExportOptions {
  readonly kind?: MappingKind;
  readonly account?: string;
  readonly json?: true;
}

/** Prints every link as CSV, which `map import` reads again. What is not linked yet is left out. */
export async function exportMappings(cli: Cli, { config, store }: Opened, options: ExportOptions): Promise<void> {
  const accounts = accountsFor(config, options.account).map(({ name }) => name);
  const kinds = options.kind === undefined ? KINDS : [options.kind];
  const rows: Record<string, string>[] = [];
  if (!options.json && !(await streamExactly(cli, csvLine(COLUMNS)))) return;
  for await (const row of mappingsOf(store, accounts, kinds)) {
    if (row.state !== 'linked') continue;
    const cells = cellsOf(row);
    if (options.json) rows.push(Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? ''])));
    else if (!(await streamExactly(cli, csvLine(cells)))) return;
  }
  if (options.json) printJson(cli, rows);
}

function cellsOf({ account, kind, marketplaceId, erpId, how, createdAtMs }: ListedMapping): string[] {
  return [account, kind, marketplaceId ?? '', erpId ?? '', how, new Date(createdAtMs).toISOString()];
}
