import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';
import { expect, test } from 'vitest';
import { ROOT, TOPICS, tableWith } from '../support/guide.ts';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

test('the container has the Node that package.json pins, on every platform', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
  const pinned = new Set(Object.values(optionalDependencies));
  const bases = [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)-bookworm-slim\b/gm)].map((match) => match[1]);
  expect(pinned).toEqual(new Set([process.versions.node]));
  expect(bases).toEqual([process.versions.node, process.versions.node]);
});

test('the image contains only the needed parts of a system, and the modules as they were compiled', () => {
  const [, last = ''] = read('Dockerfile').split(/^FROM scratch$/m);
  expect(last.match(/^(COPY|RUN|ADD) .*$/gm)).toEqual([
    'COPY --from=system /system /',
    'COPY --from=system --chown=1000:1000 /owned /',
  ]);
  // Node reads what was compiled only with the same flags, for the same user.
  const cache = /^ENV NODE_COMPILE_CACHE=(.*)$/gm;
  expect([...read('Dockerfile').matchAll(cache)].map(([, folder]) => folder)).toEqual(['/app/.cache', '/app/.cache']);
  expect(read('Dockerfile')).toContain('chroot --userspec=1000:1000 . /usr/local/bin/stockbridge run --help');
  expect(last).toContain('USER 1000:1000');
});

test('an image that is large, or slow to start, fails the check', () => {
  expect(read('.ci/image')).toMatch(/^most_mb=220\nmost_ms=1000$/m);
});

/**
 * The files of this list that a build gets to see. Every pattern is anchored or begins with two stars, where Docker and git
 * agree.
 */
function contextOf(files: readonly string[]): string[] {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const pattern of patterns) expect(pattern).toMatch(/^!?\/|^\*\*\//);
  const rules = ignore().add(patterns);
  return files.filter((file) => !rules.ignores(file));
}

/** Private files that people may have in a checkout. */
const SECRETS = [
  '.env',
  '.env.production',
  'secrets.env',
  'token',
  'erp.pem',
  'links.csv',
  '.git/config',
  '.stockbridge/pid',
  'backups/today.db',
  'data/stockbridge.db',
  'data/redis/appendonly.aof',
  'config/stockbridge.yaml',
  'config/stockbridge.yml',
  'config/brand.yaml',
  'config/secrets/marketplace-key',
  'secrets/webhook-secret',
  'config/erp-token',
  'config/.env',
  'config/tls/server.key',
  'config/stockbridge.yaml.bak',
  'src/.env',
  'src/erp/.env.local',
  'src/erp/client.pem',
  'src/http/server.key',
  'src/data/stockbridge.db',
  'src/stockbridge.db-wal',
  'migrations/backup-before-migration-2.db',
  'node_modules/stockbridge/package.json',
  'src/node_modules/any/package.json',
  'test/frame/image.test.ts',
];

const CHECKOUT = globSync(['*', '.npmrc', '{src,migrations,config,test,.setup,.ci}/**'], {
  cwd: ROOT,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

test('the image contains no secret, no configuration of yours and no data', () => {
  expect(contextOf(SECRETS)).toEqual([]);
});

test('the image contains the shipped examples, and no other configuration', () => {
  const shipped = tableWith('configuration', 'Shows').map(([file = '']) => file.replaceAll('`', ''));
  const inImage = contextOf(CHECKOUT).filter((file) => file.startsWith('config/'));
  expect(inImage.toSorted()).toEqual(shipped.toSorted());
});

test('the image contains the program, its migrations and the manual', () => {
  const context = contextOf(CHECKOUT);
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  for (const source of sources) {
    expect(
      context.some((file) => file === source || file.startsWith(`${source}/`)),
      source,
    ).toBe(true);
  }
  for (const folder of ['src', 'migrations']) {
    const there = CHECKOUT.filter((file) => file.startsWith(`${folder}/`));
    expect(context.filter((file) => file.startsWith(`${folder}/`))).toEqual(there);
  }
  for (const topic of ['index', ...TOPICS]) expect(context).toContain(`src/guide/${topic}.md`);
  const others = context.filter((file) => !/^(src|migrations|config)\//.test(file));
  expect(others.toSorted()).toEqual(['.npmrc', 'package-lock.json', 'package.json']);
});
