/**
 * `npm run mutate -- [--count N] [--seed S] [--in FOLDER,FOLDER]`: makes N changes in the program, one at a time, and plays the tests of
 * the changed file, of its folder and of its part, and then twenty stories. A change that none of them notices is printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chance } from '../support/chance.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONFIG = join(ROOT, '.setup', 'mutant.config.mjs');
const FOLDERS = 'src/domain,src/flows,src/shadow,src/marketplace,src/daemon';
/** Twenty stories on a clock of their own, with one at work. */
const STORIES = ['test/simulation/simulation.test.ts', '--testNamePattern', 'with 1 at work breaks no law'];
/** Tests that never end notice the change as well. */
const LIMIT_MS = 10 * 60_000;

interface Placed extends Mutant {
  readonly file: string;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: FOLDERS },
  },
});

const mutants = chosen();
const survivors: Placed[] = [];
/** Tests that pass without any change. */
const green = new Set<string>();
for (const [index, mutant] of mutants.entries()) {
  const by = noticedBy(mutant);
  if (by === null) survivors.push(mutant);
  say(`${index + 1} of ${mutants.length}: ${shown(mutant)}: ${by ?? 'NOT NOTICED'}`);
}
say(`${mutants.length - survivors.length} of ${mutants.length} changes were noticed`);
for (const one of survivors) say(`not noticed: ${shown(one)}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The changes of this seed, each file as likely as it is long. */
function chosen(): Placed[] {
  const files = values.in.split(',').flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }));
  const all = files.toSorted().flatMap((file) => mutantsOf(source(file)).map((mutant) => ({ ...mutant, file })));
  const { pick } = chance(values.seed);
  return Array.from({ length: Number(values.count) }, () => pick(all)).filter((one) => one !== undefined);
}

/** The tests that failed with the change; null: none did. */
function noticedBy(mutant: Placed): string | null {
  for (const tests of testsOf(mutant.file)) {
    if (pass(tests, mutant)) continue;
    requireGreen(tests);
    return tests[0] ?? '';
  }
  return null;
}

/** Tests that fail without any change notice nothing. */
function requireGreen(tests: readonly string[]): void {
  const name = tests.join(' ');
  const nothing = { file: 'src/main.ts', start: 0, end: 0, to: '' };
  if (!green.has(name) && !pass(tests, nothing)) throw new Error(`${name} fails without a change: mend it first`);
  green.add(name);
}

function pass(tests: readonly string[], mutant: Placed): boolean {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const how = ['--passWithNoTests', '--bail', '1', '--reporter', 'dot'];
  const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
  const args = [vitest, 'run', '--config', CONFIG, ...how, ...tests];
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore', timeout: LIMIT_MS }).status === 0;
}

/** From the tests that are nearest to the file to those of its whole part. */
function testsOf(file: string): string[][] {
  const path = file.replace(/^src/, 'test').replace(/\.ts$/, '');
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== 'test'; folder = dirname(folder)) folders.push(`${folder}/`);
  const near = [`${path}.test.ts`, ...folders].filter((tests) => existsSync(join(ROOT, tests)));
  return [...near.map((tests) => [tests]), STORIES];
}

function shown({ file, start, end, to }: Placed): string {
  const text = source(file);
  const line = text.slice(0, start).split('\n').length;
  return `${file}:${line} ${JSON.stringify(text.slice(start, end).slice(0, 60))} -> ${JSON.stringify(to)}`;
}

function source(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
