import { onTestFinished } from 'vitest';
import type { Cli } from '../../src/cli/output.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { folderOf, LEAST } from '../config/folder.ts';
import { run } from './capture.ts';

/** The accounts `main` and `other`. */
export const TWO_ACCOUNTS = LEAST + LEAST.replace('accounts:\n', '').replace('main:', 'other:').replace('4711', '4712');

/** A configuration with a data folder of its own, and the verbs run on it. */
export function installation(accounts = LEAST) {
  const path = folderOf({});
  const dir = path('data');
  const file = folderOf({ 'c.yaml': `state: { dir: ${dir} }\n${accounts}` })('c.yaml');
  return {
    dir,
    /** The configuration's path. */
    file,
    /** A path beside the data folder. */
    path,
    run: (...args: string[]) => run([...args, '--config', file]),
    runIn: (env: Record<string, string>, ...args: string[]) => run([...args, '--config', file], env),
    /** Runs a verb with somebody at the terminal, who answers. */
    runAsked: (confirm: Cli['confirm'], ...args: string[]) => run([...args, '--config', file], {}, { confirm }),
    async json(...args: string[]): Promise<unknown> {
      return JSON.parse((await run([...args, '--json', '--config', file])).stdout);
    },
    /** The store, open beside what the verbs open, as that of a daemon is. */
    async open() {
      const { db, sqlite, close } = await openDatabase(dir);
      onTestFinished(close);
      return { store: createStore(db, Date.now), sqlite, close };
    },
  };
}
