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
const CONFIG = join(import.meta.dirname, 'vitest.config.mjs');
const FOLDERS = 'src/domain,src/flows,src/shadow,src/marketplace,src/daemon';
/** Twenty stories on a clock of their own, with one at work. */
const STORIES = ['test/simulation/simulation.test.ts', '--testNamePattern', 'with 1 at work break no law'];
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
for (const [index, mutant] of mutants.entries()) {
  const by = noticedBy(mutant);
  if (by === null) survivors.push(mutant);
  console.log(`${index + 1} of ${mutants.length}: ${shown(mutant)}: ${by ?? 'NOT NOTICED'}`);
}
console.log(`${mutants.length - survivors.length} of ${mutants.length} changes were noticed`);
for (const one of survivors) console.log(`not noticed: ${shown(one)}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

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
    const args = [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      CONFIG,
      '--passWithNoTests',
      '--bail',
      '1',
      '--reporter',
      'dot',
      ...tests,
    ];
    const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore', timeout: LIMIT_MS });
    if (status !== 0) return tests[0] ?? '';
  }
  return null;
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
