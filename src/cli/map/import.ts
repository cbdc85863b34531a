import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../../config/resolve.ts';
import type { NewLink } from '../../store/sqlite/links.ts';
import { accountsFor } from '../account.ts';
import { EXIT } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { CsvError, type CsvRecord, parseCsv } from './csv.ts';
import { COLUMNS } from './export.ts';
import { erpIdProblem, isKind, KINDS, marketplaceIdProblem } from './kinds.ts';

interface ImportOptions {
  readonly account?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

interface Problem {
  readonly line: number;
  readonly message: string;
}

/** A link, and the line it stands in. */
interface Row {
  readonly line: number;
  readonly link: NewLink;
}

const BYTES_MAX = 100 * 1024 * 1024;
const PROBLEMS_SHOWN = 50;
const NEEDED = ['kind', 'marketplace_id', 'erp_id'] as const;

/** Links everything in a CSV file, or nothing when a line of it does not fit. What it says of each line is said before any is linked. */
export async function importMappings(cli: Cli, opened: Opened, file: string, options: ImportOptions): Promise<void> {
  const { config, store, by } = opened;
  const { rows, problems } = readRows(file, config, options.account);
  const dryRun = options.dryRun === true;
  const links = rows.map(({ link }) => link);
  const result = await store.links.linkAll(links, !dryRun && problems.length === 0, by);
  const conflicts = result.conflicts.map(({ index, message }) => ({ line: rows[index]?.line ?? 0, message }));
  const errors = [...problems, ...conflicts].toSorted((a, b) => a.line - b.line);
  if (errors.length > 0) cli.exitCode = EXIT.failed;
  const { linked, unchanged, kept } = result;
  const imported = errors.length === 0 && !dryRun;
  if (options.json) printJson(cli, { file, imported, dry_run: dryRun, linked, kept, unchanged, errors });
  else if (errors.length > 0) noteErrors(cli, file, errors, kept);
  else if (dryRun) print(cli, `${linked} would be linked, ${unchanged} are so already; nothing was changed`);
  else {
    print(cli, `${linked} linked, ${unchanged} were so already`);
    if (linked > 0) noteWhoLooks(cli, config);
  }
}

function noteErrors(cli: Cli, file: string, errors: readonly Problem[], kept: number): void {
  for (const { line, message } of errors.slice(0, PROBLEMS_SHOWN)) note(cli, `${file}:${line}: ${message}`);
  const more = errors.length - PROBLEMS_SHOWN;
  if (more > 0) note(cli, `and ${more} more`);
  if (kept === 0) note(cli, 'Nothing was imported.');
  else
    note(
      cli,
      `${kept} were linked before this came in between: mend it and import the file again, what is linked stays.`,
    );
}

function readRows(file: string, config: Config, account: string | undefined): { rows: Row[]; problems: Problem[] } {
  const accounts = accountsFor(config, account).map(({ name }) => name);
  const rows: Row[] = [];
  const problems: Problem[] = [];
  try {
    const [header, ...records] = parseCsv(readText(file));
    problems.push(...headerProblems(header));
    if (header === undefined || problems.length > 0) return { rows, problems };
    const seen = new Map<string, number>();
    for (const record of records) {
      const read = readRow(header, record, accounts);
      const found = 'link' in read ? repeated(read, seen) : read.problems;
      problems.push(...found.map((message) => ({ line: record.line, message })));
      if ('link' in read && found.length === 0) rows.push(read);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    problems.push({ line: error.line, message: error.message });
  }
  return { rows, problems };
}

function readText(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${file} does not exist`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  if (found.size > BYTES_MAX) throw new Error(`${file} is larger than ${BYTES_MAX} bytes: split it`);
  return readFileSync(file, 'utf8');
}

function headerProblems(header: CsvRecord | undefined): Problem[] {
  const form = `the first line names the columns, separated by commas: ${COLUMNS.join(',')}`;
  if (header === undefined) return [{ line: 1, message: `the file is empty; ${form}` }];
  const { line, cells } = header;
  const unknown = cells.filter((name) => !COLUMNS.some((column) => column === name));
  const missing = NEEDED.filter((column) => !cells.includes(column));
  const twice = cells.filter((name, at) => cells.indexOf(name) !== at);
  return [
    ...unknown.map((name) => ({ line, message: `unknown column "${name}"; ${form}` })),
    ...missing.map((name) => ({ line, message: `there is no column ${name}; ${form}` })),
    ...twice.map((name) => ({ line, message: `the column ${name} stands there twice` })),
  ];
}

function readRow(
  header: CsvRecord,
  { line, cells }: CsvRecord,
  accounts: readonly string[],
): Row | { readonly problems: string[] } {
  if (cells.length !== header.cells.length) {
    return { problems: [`it has ${cells.length} columns, the first line has ${header.cells.length}`] };
  }
  const of = (column: (typeof COLUMNS)[number]) => cells[header.cells.indexOf(column)] ?? '';
  const [kind, marketplaceId, erpId, how, createdAt] = [
    of('kind'),
    of('marketplace_id'),
    of('erp_id'),
    of('how'),
    of('created_at'),
  ];
  const account = of('account') === '' && accounts.length === 1 ? (accounts[0] ?? '') : of('account');
  const createdAtMs = createdAt === '' ? null : Date.parse(createdAt);
  const problems = [
    accounts.includes(account) ? null : `"${account}" is not the account: ${accounts.join(', ')}`,
    isKind(kind) ? marketplaceIdProblem(kind, marketplaceId) : `kind "${kind}" is none of ${KINDS.join(', ')}`,
    erpIdProblem(erpId),
    Number.isNaN(createdAtMs) ? `created_at "${createdAt}" is not an instant` : null,
  ].filter((problem) => problem !== null);
  if (!isKind(kind) || problems.length > 0) return { problems };
  return { line, link: { account, kind, marketplaceId, erpId, how: how === '' ? 'import' : how, createdAtMs } };
}

/** An id that stands in the file twice: which of the lines is meant cannot be told. */
function repeated({ line, link }: Row, seen: Map<string, number>): string[] {
  const problems: string[] = [];
  const sides = [
    ['marketplace', link.marketplaceId],
    ['ERP', link.erpId],
  ] as const;
  for (const [side, id] of sides) {
    const name = JSON.stringify([link.account, link.kind, side, id]);
    const before = seen.get(name);
    if (before === undefined) seen.set(name, line);
    else problems.push(`${link.kind} ${id} of the ${side} stands in line ${before} already`);
  }
  return problems;
}
