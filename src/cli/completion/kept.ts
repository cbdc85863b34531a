import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configIn, FILES, linesOf, offer, rejoined, sourceAt, type Words } from './words.ts';

/* Caches the words in a file, so that a shell is answered without loading the program. */

type Env = Readonly<Record<string, string | undefined>>;

export interface Kept {
  /** The version of the program that the words belong to. */
  readonly stamp: number;
  readonly words: Words;
  /** By configuration, with the time of its file. */
  readonly accounts: Readonly<Record<string, { readonly changedMs: number; readonly names: readonly string[] }>>;
}

/** null: no place for a cache. */
function fileIn({ XDG_CACHE_HOME: cache, HOME: home }: Env): string | null {
  const folder = cache || (home ? join(home, '.cache') : null);
  return folder === null ? null : join(folder, 'stockbridge', 'completion.json');
}

/** The latest change of a verb or guide page. */
function stampNow(): number {
  const folders = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../../guide')];
  const files = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  return Math.max(...files.map(changedMs));
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** null: no cache for this version of the program. */
export function readKept(env: Env): Kept | null {
  try {
    const kept = JSON.parse(readFileSync(fileIn(env) ?? '', 'utf8')) as Kept;
    return kept.stamp === stampNow() ? kept : null;
  } catch {
    return null;
  }
}

export function keep(env: Env, kept: Omit<Kept, 'stamp'>): void {
  const file = fileIn(env);
  if (file === null) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ stamp: stampNow(), ...kept }));
  } catch {
    // Without a cache, the next answer is as slow as this one.
  }
}

/** The accounts of the configuration that the words name; null: not cached, or its file changed. */
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
 * Answers `completion SHELL -- WORD...` from the cache.
 * @returns null: the program must be loaded
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
