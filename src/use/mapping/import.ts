import type { Config } from '../../config/resolve.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { NewLink } from '../../store/links.ts';
import { accountNames } from '../accounts.ts';
import type { Opened } from '../open.ts';
import { againstLink } from './contradictions.ts';
import { CsvError, type CsvRecord, parseCsv } from './csv.ts';
import { erpIdProblem, isKind, KINDS, marketplaceIdProblem } from './ids.ts';

export const COLUMNS = ['account', 'kind', 'marketplace_id', 'erp_id', 'how', 'created_at'] as const;

/** Columns for people, printed by `map suggest --csv` and ignored here. */
const PASSED_OVER = ['listing_sku', 'erp_sku', 'name', 'why'];

export interface Problem {
  readonly line: number;
  readonly message: string;
}

interface Row {
  readonly line: number;
  readonly link: NewLink;
}

/** For the origin of a link: `exact-match`, `operator`. */
const MAX_HOW_CHARS = 100;

const NEEDED = ['kind', 'marketplace_id', 'erp_id'] as const;

interface Imported {
  readonly imported: boolean;
  readonly linked: number;
  readonly unchanged: number;
  /** Links made before a line became invalid. */
  readonly kept: number;
  readonly errors: readonly Problem[];
  /** Reasons against lines, as in `map link`, when nobody confirmed them. */
  readonly doubts: readonly Problem[];
}

interface Importing {
  readonly account: string | undefined;
  readonly dryRun: boolean;
  /** Asks whether to link despite the doubts. */
  readonly isMeant: (doubts: readonly Problem[]) => Promise<boolean>;
}

/**
 * Links all lines of a CSV text, or none if a line is invalid or an unconfirmed doubt remains. All results are reported
 * before anything is linked.
 */
export async function importMappings(
  { config, store, by }: Opened,
  csv: string,
  { account, dryRun, isMeant }: Importing,
): Promise<Imported> {
  const { rows, problems } = readRows(csv, config, account);
  for (const row of rows) problems.push(...(await unknownIds(store, row)));
  const links = rows.map(({ link }) => link);
  const judged = await store.links.linkAll(links, false, by);
  const isFit = problems.length + judged.conflicts.length === 0;
  const against = isFit ? await doubtsOf(store, rows) : [];
  const doubts = against.length > 0 && !(await isMeant(against)) ? against : [];
  const keeps = isFit && doubts.length === 0 && !dryRun;
  const result = keeps ? await store.links.linkAll(links, true, by) : judged;
  const conflicts = result.conflicts.map(({ index, message }) => ({ line: rows[index]?.line ?? 0, message }));
  const errors = [...problems, ...conflicts].toSorted((a, b) => a.line - b.line);
  const { linked, unchanged, kept } = result;
  return { imported: keeps && errors.length === 0, linked, unchanged, kept, errors, doubts };
}

async function doubtsOf(store: Opened['store'], rows: readonly Row[]): Promise<Problem[]> {
  const doubts: Problem[] = [];
  for (const { line, link } of rows) {
    if (link.kind !== 'product') continue;
    const listing = await store.products.get(link.account, Number(link.marketplaceId));
    const product = await store.erp.product(link.account, link.erpId);
    if (listing === null || product === null) continue;
    const against = await againstLink(store, link.account, { listing, product });
    doubts.push(...against.map((message) => ({ line, message })));
  }
  return doubts;
}

/** Product ids are checked once all listings were read. */
async function unknownIds(store: Opened['store'], { line, link }: Row): Promise<Problem[]> {
  const { account, kind, marketplaceId, erpId } = link;
  if (kind !== 'product' || (await store.facts.get(account, LISTINGS_KNOWN)) === null) return [];
  const problems: string[] = [];
  if ((await store.products.get(account, Number(marketplaceId))) === null)
    problems.push(`the marketplace shows no listing ${marketplaceId}`);
  if ((await store.erp.product(account, erpId)) === null) {
    const [named] = await store.erp.productsBySku(account, erpId);
    const meant = named === undefined ? '' : `; it is the SKU of product ${named.id}`;
    problems.push(`the ERP shows no product ${erpId}${meant}`);
  }
  return problems.map((message) => ({ line, message }));
}

function readRows(csv: string, config: Config, account: string | undefined): { rows: Row[]; problems: Problem[] } {
  const accounts = accountNames(config, account);
  const rows: Row[] = [];
  const problems: Problem[] = [];
  try {
    const [header, ...records] = parseCsv(csv);
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

function headerProblems(header: CsvRecord | undefined): Problem[] {
  const form = `the first line names the columns, separated by commas: ${COLUMNS.join(',')}`;
  if (header === undefined) return [{ line: 1, message: `the file is empty; ${form}` }];
  const { line, cells } = header;
  const unknown = cells.filter((name) => !COLUMNS.some((column) => column === name) && !PASSED_OVER.includes(name));
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
    how.length > MAX_HOW_CHARS || !how.isWellFormed() ? `how is no text of ${MAX_HOW_CHARS} characters at most` : null,
    Number.isNaN(createdAtMs) ? `created_at "${createdAt}" is not an instant` : null,
  ].filter((problem) => problem !== null);
  if (!isKind(kind) || problems.length > 0) return { problems };
  return { line, link: { account, kind, marketplaceId, erpId, how: how === '' ? 'import' : how, createdAtMs } };
}

/** Ids that an earlier line has, so that the meant line is unclear. */
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
