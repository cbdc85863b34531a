import { parse } from 'yaml';
import { shieldReferences } from '../../config/references.ts';
import type { AccountConfig, Config } from '../../config/resolve.ts';
import type { Log } from '../../logging/logging.ts';
import { withErp } from '../api/open.ts';
import type { Finding } from './check.ts';
import { recordingWire, type Trial, tryList } from './try.ts';
import { type Lines, linesOf, type Waiting } from './waiting.ts';

export { placesOf } from '../../erp/promises/places.ts';

/** The way to a proven description of an ERP. The description file is its only memory. */

export interface Known {
  /** null: no description yet. */
  readonly text: string | null;
  readonly waiting: readonly Waiting[];
  /** Unset environment variables of the section. */
  readonly unset: readonly string[];
  /** Why the configuration is unusable; null: it is usable. */
  readonly wrong: string | null;
  readonly tried: ReadonlyMap<string, Trial>;
  /** The check's results; null: not checked. */
  readonly findings: readonly Finding[] | null;
  /** For proving writes; empty: not chosen yet. */
  readonly skus: readonly string[];
  /** Postponed steps, by name. */
  readonly later: ReadonlySet<string>;
}

export type Step =
  | { readonly does: 'draft' }
  | { readonly does: 'settle'; readonly name: string; readonly waiting: Waiting; readonly left: number }
  | { readonly does: 'place-secret'; readonly variable: string }
  | { readonly does: 'correct'; readonly problem: string }
  | { readonly does: 'try'; readonly list: string }
  | { readonly does: 'mend-list'; readonly name: string; readonly list: string; readonly trial: Trial }
  | { readonly does: 'check' }
  | { readonly does: 'mend'; readonly name: string; readonly finding: Broken }
  | { readonly does: 'name-products'; readonly name: string }
  | { readonly does: 'end' };

export type Broken = Extract<Finding, { result: 'broken' }>;

const LISTS = ['products', 'stock', 'orders'];

/** Pure. Reads come first, since writes are proven on orders that are read. */
export function nextStep({ text, waiting, unset, wrong, tried, findings, skus, later }: Known): Step {
  if (text === null) return { does: 'draft' };
  const open = waiting.filter((one) => !later.has(nameOf(one)));
  const settle = (one: Waiting): Step => ({ does: 'settle', name: nameOf(one), waiting: one, left: open.length });
  const reading = open.find((one) => !isOfWrites(one));
  if (reading !== undefined) return settle(reading);
  const [variable] = unset;
  if (variable !== undefined) return { does: 'place-secret', variable };
  if (wrong !== null) return { does: 'correct', problem: wrong };
  for (const list of LISTS) {
    const trial = tried.get(list);
    if (trial === undefined) return { does: 'try', list };
    if (!isReadable(trial) && !later.has(`list ${list}`))
      return { does: 'mend-list', name: `list ${list}`, list, trial };
  }
  if (findings === null) return { does: 'check' };
  const broken = findings.filter((one) => one.result === 'broken').find((one) => !later.has(`promise ${one.name}`));
  if (broken !== undefined) return { does: 'mend', name: `promise ${broken.name}`, finding: broken };
  const [writing] = open;
  if (writing !== undefined) return settle(writing);
  if (skus.length === 0 && !later.has('writes')) return { does: 'name-products', name: 'writes' };
  return { does: 'end' };
}

export const nameOf = ({ path }: Waiting): string => `line ${path.join('.')}`;

/** Parts that `init` asks for, since they are not about the ERP. */
const ELSEWHERE = ['marketplace', 'inventory'];

export function isOfErp(path: readonly string[]): boolean {
  return path[0] !== 'accounts' || !ELSEWHERE.includes(path[2] ?? '');
}

function isOfWrites({ path: [, , section, part = ''] }: Waiting): boolean {
  return section === 'erp' && ['writes', 'orders_out', 'acknowledgements'].includes(part);
}

/** Whether the list was read with a valid row, if it has rows. The check counts invalid ones. */
function isReadable({ failure, rows, invalidRows }: Trial): boolean {
  return failure === null && (invalidRows.length === 0 || rows.length > 0);
}

/** Changes with the description's values, but not with its comments. */
export function meaningOf(text: string): string {
  try {
    return JSON.stringify(parse(shieldReferences(text), { merge: true }));
  } catch {
    return text;
  }
}

const ROWS = 2;

/** @throws UsageError for a list that the connection lacks */
export async function tryBeginning({ config, account, log, signal }: Trying, list: string): Promise<Trial> {
  const { wire, exchanges } = recordingWire();
  const read = { since: null, limit: ROWS };
  return withErp({ config, log }, account, (erp) => tryList(erp, exchanges, list, read, signal), wire);
}

interface Trying {
  readonly config: Config;
  readonly account: AccountConfig;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The description's lines for a promise or list; null: not in this file. */
export function linesBehind(text: string, account: string, places: readonly (readonly string[])[]): Lines | null {
  for (const place of places) {
    const lines = linesOf(text, ['accounts', account, 'erp', ...place]);
    if (lines !== null) return lines;
  }
  return null;
}
