import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigText } from '../../../config/load.ts';
import { ConfigError } from '../../../config/problem.ts';
import type { AccountConfig, Config } from '../../../config/resolve.ts';
import type { Log } from '../../../logging/logging.ts';
import { accountFor } from '../../../use/accounts.ts';
import type { Finding } from '../../../use/erp/check.ts';
import { isOfErp, type Known, meaningOf } from '../../../use/erp/connect.ts';
import type { Trial } from '../../../use/erp/try.ts';
import { variablesIn, waitingIn } from '../../../use/erp/waiting.ts';
import type { Cli } from '../../output.ts';

/** The state of `erp connect` beyond the description. */
export interface Walk {
  readonly cli: Cli;
  readonly log: Log;
  /** The description's file, a whole configuration. */
  readonly path: string;
  /** Undefined if the file has one account. */
  readonly account: string | undefined;
  readonly as: 'rest' | 'files';
  /** Where the first draft comes from; undefined: the person is asked. */
  from: string | undefined;
  /** The tables or queries that the person chose for lists of the first draft. */
  readonly named: Readonly<Record<string, string>>;
  /** Asks the person. @throws Interrupted when the person leaves */
  readonly said: (question: string) => Promise<string>;
  /** Steps that the person postponed. */
  readonly later: Set<string>;
  /** The products for proving writes. */
  skus: readonly string[];
  seen: Seen | null;
}

/** What was seen of one description only. */
interface Seen {
  readonly meaning: string;
  /** The connector's own files, so that another description reads exchanged files again. */
  readonly dir: string;
  readonly tried: Map<string, Trial>;
  findings: readonly Finding[] | null;
}

export interface Usable {
  readonly config: Config;
  readonly account: AccountConfig;
  readonly text: string;
  readonly seen: Seen;
}

/** Reads the current file. */
export function look(walk: Walk): { readonly known: Known; readonly usable: Usable | null } {
  const { path, later, skus } = walk;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
  const waiting = waitingIn(text ?? '').filter((one) => isOfErp(one.path));
  const known = { text, waiting, unset: [], wrong: null, tried: new Map(), findings: null, skus, later };
  if (text === null) return { known, usable: null };
  const { env } = walk.cli;
  const unset = [...variablesIn(text)].filter(([name]) => env[name] === undefined);
  try {
    const usable = usableOf(walk, text, { ...env, ...standIns(unset) });
    const { tried, findings } = usable.seen;
    return { known: { ...known, tried, findings }, usable };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const missing = unset.flatMap(([name, at]) => (isOfErp(at) ? [name] : []));
    return { known: { ...known, unset: missing, wrong: error.message }, usable: null };
  }
}

/** Only the ERP is called, so the marketplace's secrets may be missing. */
function standIns(unset: readonly (readonly [name: string, path: readonly string[]])[]): Record<string, string> {
  return Object.fromEntries(unset.flatMap(([name, path]) => (isOfErp(path) ? [] : [[name, 'not-asked-for-yet']])));
}

function usableOf(walk: Walk, text: string, env: Cli['env']): Usable {
  const { config, secrets } = loadConfigText(walk.path, text, env);
  walk.cli.secrets.push(...secrets);
  const account = accountFor(config, walk.account);
  const seen = seenOf(walk, text);
  return { config, account: { ...account, erp: { ...account.erp, dir: seen.dir } }, text, seen };
}

function seenOf(walk: Walk, text: string): Seen {
  const meaning = meaningOf(text);
  if (walk.seen?.meaning === meaning) return walk.seen;
  forget(walk);
  const dir = mkdtempSync(join(tmpdir(), 'stockbridge-connect-'));
  walk.seen = { meaning, dir, tried: new Map(), findings: null };
  return walk.seen;
}

/** Forgets all trials. */
export function forget(walk: Walk): void {
  if (walk.seen !== null) rmSync(walk.seen.dir, { recursive: true, force: true });
  walk.seen = null;
}
