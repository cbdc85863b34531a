import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configIn, FILES, linesOf, offer, rejoined, sourceAt, type Words } from './words.ts';

/* Words that were worked out once are kept in a file: a shell is answered from it, without loading the program. */

type Env = Readonly<Record<string, string | undefined>>;

export interface Kept {
  /** The state of the program that the words are of. */
  readonly stamp: number;
  readonly words: Words;
  /** The accounts of each configuration, and the time of its file. */
  readonly accounts: Readonly<Record<string, { readonly changedMs: number; readonly names: readonly string[] }>>;
}

/** The file of the words; null: there is no place for it. */
function fileIn({ XDG_CACHE_HOME: cache, HOME: home }: Env): string | null {
  const folder = cache || (home ? join(home, '.cache') : null);
  return folder === null ? null : join(folder, 'stockbridge', 'completion.json');
}

/** The latest change of a verb or of a page of the manual. */
function stampNow(): number {
  const folders = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../../guide')];
  const files = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  return Math.max(...files.map(changedMs));
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** null: nothing is kept of the program as it is now. */
export function readKept(env: Env): Kept | null {
  try {
    const kept = JSON.parse(readFileSync(fileIn(env) ?? '', 'utf8')) as Kept;
    return kept.stamp === stampNow() ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps the words, where there is a place for them. */
export function keep(env: Env, kept: Omit<Kept, 'stamp'>): void {
  const file = fileIn(env);
  if (file === null) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ stamp: stampNow(), ...kept }));
  } catch {
    // Without the file, the next answer takes as long as this one.
  }
}

/** The accounts of the configuration that the words name, as they are known of its present file; null: they are not. */
export function accountsKept(kept: Kept, words: readonly string[]): readonly string[] | null {
  const path = resolve(configIn(words));
  const known = kept.accounts[path];
  return known !== undefined && known.changedMs === changedMs(path) ? known.names : null;
}

export function withAccounts(kept: Omit<Kept, 'stamp'>, words: readonly string[], names: readonly string[]) {
  const path = resolve(configIn(words));
  return { ...kept, accounts: { ...kept.accounts, [path]: { changedMs: changedMs(path), names } } };
}

/**
 * The answer to `completion SHELL -- WORD...` from what is kept.
 * @returns null when the program has to be loaded to answer
 */
export function keptAnswer([verb, shell = '', dashes, ...typed]: readonly string[], env: Env): string[] | null {
  if (verb !== 'completion' || dashes !== '--' || typed.length === 0) return null;
  const kept = readKept(env);
  if (kept === null) return null;
  const words = rejoined(typed);
  const source = sourceAt(kept.words, words);
  if (source === FILES) return [FILES];
  if (source === ':plans') return null;
  const offers = source === ':accounts' ? accountsKept(kept, words)?.map((name) => offer(name)) : source;
  return offers === undefined ? null : linesOf(offers, words, shell);
}
