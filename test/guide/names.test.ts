import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createMetrics, measureDisk } from '../../src/daemon/metrics.ts';
import { run } from '../cli/capture.ts';
import { folderOf } from '../config/folder.ts';
import {
  BLOCKS,
  blocksOf,
  COMMANDS,
  DEVELOPERS,
  PAGES,
  QUOTED,
  README,
  ROOT,
  tableWith,
  topicPage,
} from '../support/guide.ts';

/** Scripts of npm with flags of their own. */
const SCRIPT = /^npm run (fuzz|soak|several|simulate|crash|bench|mutate)\b/;

describe('everything that is named exists:', () => {
  const verbs =
    ',init,run,sync,plan,status,doctor,completion,erp check,erp draft,erp try,erp describe,api,demo,sandbox,pause,resume,migrate,backup,restore,config show,jobs list,jobs show,' +
    'jobs replay,jobs resolve,jobs discard,audit list,audit verify,brakes list,brakes approve,brakes drop,rebuild,store copy,verify,' +
    'explain,events list,events show,events resend,events listen,events trigger,journal,map list,map link,map suggest,map unlink,map export,map import';
  const helps = Promise.all(
    verbs.split(',').map(async (verb) => (await run([...verb.split(' ').filter(Boolean), '--help'])).stdout),
  );

  test('the files and folders that the guide names exist', () => {
    const named = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/(?<![\w/.:-])(?:src|test|config|migrations)\/[\w./*-]+\w/g)].map(([path]) => path),
    );
    const made = ['config/stockbridge.yaml', 'config/brand.yaml'];
    const missing = named.filter((path) => !made.includes(path) && globSync(path, { cwd: ROOT }).length === 0);
    expect(missing).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(15);
  });

  test.each([...PAGES, ...DEVELOPERS])('the links of $path exist', ({ path, prose }) => {
    for (const [, target = ''] of prose.matchAll(/\]\(([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const linked = join(ROOT, file === '' ? path : join(dirname(path), file));
      expect(existsSync(linked), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(linked, 'utf8')), target).toContain(anchor);
    }
  });

  test('the flags and verbs that the guide names exist', async () => {
    const help = (await helps).join('\n');
    const containers = ['--stop-timeout'];
    const scripts = ['fuzz', 'soak', 'several', 'simulate', 'crash', 'bench', 'mutate'].flatMap(flagsOfScript);
    const quoted = QUOTED.filter((text) => !SCRIPT.test(text) && !scripts.includes(text.split(' ')[0] ?? ''));
    const flags = quoted.flatMap((text) => text.match(/--[a-z-]+/g) ?? []).filter((flag) => !containers.includes(flag));
    expect(flags.length).toBeGreaterThan(5);
    for (const flag of flags) expect(help).toMatch(new RegExp(`(^|\\s)${flag}\\b`));
    const known = [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb);
    for (const { text } of COMMANDS) {
      const verb = /^(?:npm run )?stockbridge (?:-- )?([a-z]\w*)/.exec(text)?.[1];
      if (verb !== undefined) expect(known).toContain(verb);
    }
  });

  test('the flags of scripts that the guide names exist', () => {
    const named = [...QUOTED, ...COMMANDS.map(({ text }) => text)].filter((text) => SCRIPT.test(text));
    const used = named.flatMap((text) => {
      const name = SCRIPT.exec(text)?.[1] ?? '';
      return (text.match(/--[a-z-]+/g) ?? []).map((flag) => ({ name, flag }));
    });
    for (const { name, flag } of used) expect(flagsOfScript(name), `npm run ${name}`).toContain(flag);
    expect(used.length).toBeGreaterThan(5);
  });

  test('the npm scripts that the guide names exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/npm (?:run )?([a-z][a-z:-]*[a-z])/g)].map(([, name = '']) => name),
    );
    for (const name of named.filter((one) => one !== 'packages')) expect(Object.keys(scripts)).toContain(name);
  });

  test('the settings that the guide names exist', () => {
    const paths = settingsOf(configJsonSchema() as Settings);
    const sections = /^(state|webhooks|admin|retention|marketplace|erp|inventory|products|orders|brakes)\.[a-z_.]+$/;
    const named = QUOTED.filter((text) => sections.test(text) && !/\.(list|get|patch|create|md)$/.test(text));
    for (const path of named) expect([...paths]).toContainEqual(expect.stringMatching(new RegExp(`(^|\\.)${path}$`)));
    expect(named.length).toBeGreaterThan(20);
  });

  test('the metrics that the guide names exist', () => {
    const metrics = createMetrics();
    measureDisk(metrics, ROOT);
    const known = new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name));
    const named = [
      ...QUOTED.filter((text) => text.startsWith('stockbridge_')),
      ...[...topicPage('monitoring').text.matchAll(/`((?:process|nodejs)_\w+)`/g)].map(([, name = '']) => name),
    ];
    for (const name of named) expect(known).toContain(name);
    expect(named.length).toBeGreaterThan(5);
  });

  test('the messages that the guide quotes are those of the program', () => {
    const source = globSync(['src/**/*.ts', '.setup/*.mjs'], { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n')
      .replaceAll(/\$\{[^}]*\}/g, '…');
    const shown = [...topicPage('troubleshooting').text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = '']) => text);
    const missing = shown.filter((text) => text.split('…').some((part) => !source.includes(part.trim())));
    expect(missing).toEqual([]);
    expect(shown.length).toBeGreaterThan(30);
  });

  test('the guide names all exit codes', () => {
    expect(tableWith('exit-codes', 'Code').map(([code]) => Number(code))).toEqual(
      Object.values(EXIT).toSorted((a, b) => a - b),
    );
  });

  test('the guide names the rows of the table that ends the demo', () => {
    const screen = readFileSync(join(ROOT, 'src/cli/demo-screen.ts'), 'utf8');
    const table = README.blocks.find(({ text }) => text.includes('stock differences'))?.text ?? '';
    const rows = [...table.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, label = '']) => label);
    for (const label of rows) expect(screen).toContain(`'${label}'`);
    expect(rows.length).toBe(12);
    expect(screen).toContain(table.trimEnd().split('\n').at(-1));
  });
});

/** The anchors that GitHub makes of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The flags of the file that the script starts. */
function flagsOfScript(name: string): string[] {
  const script = readFileSync(join(ROOT, '.setup', `${name}.mjs`), 'utf8');
  const [, path = ''] = /handOver\(\[join\(root, ([^)]+)\)/.exec(script) ?? [];
  const file = join(ROOT, ...[...path.matchAll(/'([^']+)'/g)].map(([, part = '']) => part));
  return [...readFileSync(file, 'utf8').matchAll(/(\w+): \{ type: '(?:string|boolean)'/g)].map(
    ([, flag]) => `--${flag}`,
  );
}

interface Settings {
  readonly properties?: Readonly<Record<string, Settings>>;
  readonly additionalProperties?: Settings | boolean;
  readonly anyOf?: readonly Settings[];
  readonly oneOf?: readonly Settings[];
  readonly allOf?: readonly Settings[];
  readonly else?: Settings;
}

function settingsOf(schema: Settings, path = '', found = new Set<string>()): Set<string> {
  const { properties = {}, additionalProperties, anyOf = [], oneOf = [], allOf = [], else: otherwise } = schema;
  for (const [name, value] of Object.entries(properties)) {
    const mine = path === '' ? name : `${path}.${name}`;
    found.add(mine);
    settingsOf(value, mine, found);
  }
  if (typeof additionalProperties === 'object') settingsOf(additionalProperties, path, found);
  for (const one of [...anyOf, ...oneOf, ...allOf, ...(otherwise === undefined ? [] : [otherwise])])
    settingsOf(one, path, found);
  return found;
}

const SECRETS = {
  POSTGRES_URL: 'postgres://stockbridge:a-password@db.example:5432/stockbridge',
  MARKETPLACE_KEY: 'k',
  WEBHOOK_SECRET: 's',
  MARKETPLACE_CLIENT_SECRET: 'c',
  ERP_CLIENT_SECRET: 'e',
  ERP_REFRESH_TOKEN: 'r',
  TRYTON_PASSWORD: 'p',
  ERP_PASSWORD: 'p',
  TRACES_AUTHORIZATION: 'Basic abcd',
  BEN_HASH: `scrypt:16384:8:1:${'A'.repeat(22)}:${'A'.repeat(43)}`,
  CHAT_URL: 'https://chat.test/hooks/1',
  SMTP_URL: 'smtps://u:p@mail.test',
};

test('every configuration in the guide is valid', () => {
  const path = folderOf({ token: 'an-erp-token' });
  const shown = blocksOf('yaml');
  expect(shown.length).toBeGreaterThan(1);
  // A part of a configuration is shown for itself.
  const [accounts = ''] = shown.flatMap((text) => /^accounts:[^]*/m.exec(text)?.[0] ?? []);
  for (const [index, block] of shown.entries()) {
    const text = /^accounts:/m.test(block) ? block : `${block}\n${accounts}`;
    mkdirSync(path('configs'), { recursive: true });
    copyFileSync(join(ROOT, 'test/erp/module/shop.ts'), path('configs/shop.ts'));
    writeFileSync(path(`configs/${index}.yaml`), text.replace('/run/secrets/erp-token', path('token')));
    const { config } = loadConfig(path(`configs/${index}.yaml`), SECRETS);
    expect(config.accounts.map(({ name }) => name)).toEqual(['main']);
  }
});

test('the container commands of the guide fit the Dockerfile', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const text = blocksOf('console').find((one) => one.includes('docker build')) ?? '';
  const commands = text.trimEnd().split('\n');
  expect(commands.every((line) => line.startsWith('$ docker '))).toBe(true);
  const runs = commands.find((line) => line.startsWith('$ docker run ')) ?? '';
  for (const [, inside = ''] of runs.matchAll(/-v \S+:(\/\w+)/g)) expect(['/data', '/config']).toContain(inside);
  expect(dockerfile).toMatch(/^VOLUME \/data$/m);
  expect(dockerfile).toMatch(/^WORKDIR \/$/m);
  const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ');
  expect([...runs.matchAll(/-p \S*?(\d+)(?= )/g)].map(([, port]) => port)).toEqual(exposed);
  expect(dockerfile).toContain('> /usr/local/bin/stockbridge');
  for (const line of commands.filter((one) => one.startsWith('$ docker exec'))) {
    expect(line).toMatch(/^\$ docker exec stockbridge stockbridge (status|backup) ?/);
  }
});

test('every code block of the guide is of a kind that is checked', () => {
  const kinds = new Set(BLOCKS.map(({ kind }) => kind));
  // The SQL on the pages is that of test/erp/sql/example, which runs in a database, and the code that of test/erp/module.
  expect([...kinds].toSorted()).toEqual(['console', 'output', 'sh', 'sql', 'text', 'ts', 'yaml']);
});
