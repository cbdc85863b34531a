import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import type { Cli } from '../../src/cli/output.ts';
import { runProgram } from '../../src/cli/program.ts';
import { Interrupted } from '../../src/cli/signals.ts';
import { fixture, folder } from '../erp/draft/drafted.ts';
import { topicPage } from '../support/guide.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { run } from './capture.ts';

const TOKEN = 'an-erp-token-for-tests';
const WRITES = `writes:
        order-create:
          result: answer
          steps:
            - name: create
              request: { method: POST, path: /v1/orders, body: "{{ $draft }}" }
        order-update:
          result: answer
          steps:
            - name: change
              request: { method: PATCH, path: "/v1/orders/{{ $id }}", body: "{{ $change }}" }`;

let stage: Stage;
let file: string;

beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(4);
  file = join(folder({ token: TOKEN }), 'erp.yaml');
});

const written = () => readFileSync(file, 'utf8');
const edit = (change: (text: string) => string) => writeFileSync(file, change(written()));

/** A part of each question that is expected, in turn, with what the person types, or does and then types. */
type Answers = readonly (readonly [asked: string, reply: string | (() => string)])[];

/** Walks with these answers. Answers the exit code, and everything that a terminal would show. */
async function walk(answers: Answers, ...args: string[]) {
  const left = [...answers];
  let screen = '';
  const stream = () =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        screen += chunk.toString();
        done();
      },
    });
  const ask = async (question: string) => {
    const [expected, reply] = left.shift() ?? ['nothing more', ''];
    expect(question).toContain(expected);
    const typed = typeof reply === 'string' ? reply : reply();
    screen += `${question}${typed}\n`;
    return typed;
  };
  const cli: Cli = { env: {}, stdout: stream(), stderr: stream(), secrets: [], exitCode: 0, ask };
  const exitCode = await runProgram(['--config', file, 'erp', 'connect', ...args], cli);
  expect(left).toEqual([]);
  return { exitCode, screen };
}

/** The page shows parts of the screen in their order, with `...` between them. @param words some words of its block */
function expectShown(words: string, screen: string): void {
  const shown = topicPage('connect').blocks.find(({ text }) => text.includes(words))?.text;
  const alike = (text: string) =>
    text
      .replaceAll(/\S+erp\.yaml/g, 'erp.yaml')
      .replaceAll(/[\d.]+/g, '0')
      .replaceAll(/\s+/g, ' ');
  let rest = alike(screen);
  for (const part of (shown ?? 'no block').split(/^\.\.\.$/m).map((text) => alike(text).trim())) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

const LEAVE = ['leave', 'leave'] as const;

test('erp connect turns a document into a proven connection, in two sessions, with a broken promise in between', async () => {
  stage.erp.control.inject({
    kind: 'invalid-row',
    key: 'SB-0001',
    set: { available: '999' },
    path: '/v1/stock',
    times: null,
  });
  const mended = () => {
    stage.erp.control.clearFaults();
    return '';
  };
  const first = await walk([
    ['What describes the ERP', 'nowhere.yaml'],
    ['What describes the ERP', fixture('contract.openapi.yaml')],
    ['4 to decide', 'EUR'],
    ['3 to decide', stage.erp.url],
    ['2 to decide', '20'],
    ['ERP_TOKEN is not set', TOKEN],
    ['ERP_TOKEN is not set', 'file:token'],
    ['Change the file or the ERP', mended],
    LEAVE,
  ]);
  expect(first.exitCode).toBe(75);
  expect(first.screen).toMatch(/nowhere\.yaml: there is no such file/);
  expect(first.screen).toContain('a secret is not typed here');
  expect(first.screen).toContain(`Go on with: stockbridge --config ${file} erp connect`);
  expect(first.screen).toMatch(/^FAIL {2}stock-sum: [^]*?came: 999 available[^]*?erp\.yaml:\d+: +stock:$/m);
  expect(first.screen).toMatch(/1 broken[^]* 0 broken/);
  expect(written()).toContain('currency: EUR # the currency of all prices');
  expect(written()).toContain(`url: ${stage.erp.url} # the address of the ERP`);
  expect(written()).toContain('batch: 20 # how many SKUs');
  expect(written()).not.toContain(TOKEN);
  expect(statSync(file).mode & 0o077).toBe(0);

  const described = () => {
    edit((text) => text.replace('writes: {}', WRITES));
    return 'ok';
  };
  const second = await walk([
    ['the last one to decide', described],
    ['To test the writes', 'SB-0002'],
    ['To test the writes', 'SB-0002 SB-0004'],
  ]);
  expect([second.exitCode, second.screen]).toEqual([0, expect.not.stringContaining('FAIL')]);
  expect(second.screen).toContain(`Next: stockbridge init --description ${file}`);
  expectShown('-> map available', first.screen);
  expectShown('To test the writes', second.screen);
  const { orders } = stage.erp.control.state();
  expect(orders.length).toBeGreaterThan(0);
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['cancelled']));
});

test('erp connect takes the table of a list, as for a draft', async () => {
  const { screen } = await walk(
    [['What describes the ERP', 'leave']],
    '--from',
    fixture('contract.openapi.yaml'),
    '--table',
    'products=nowhere',
  );
  expect(screen).toMatch(/nothing can be drafted of .*nowhere/);
  expect((await walk([], '--table', 'product=parts')).screen).toContain(
    '--table product=parts: expected one of products',
  );
});

test('erp connect leaves postponed parts for later, and keeps an edit meanwhile', async () => {
  const edited = () => {
    edit((text) => `${text}# a note of mine\n`);
    return stage.erp.url;
  };
  await walk([['4 to decide', ''], ['3 to decide', edited], LEAVE], '--from', fixture('contract.openapi.yaml'));
  edit((text) => text.replace('${env:ERP_TOKEN}', '${file:token}').replace('id: id ', 'id: $error( '));
  const { exitCode, screen } = await walk([
    ['2 to decide', 'later'],
    [
      'Change the file, then Enter',
      () => {
        edit((text) => text.replace('$error( ', 'nowhere '));
        return '';
      },
    ],
    ['Change the file or the ERP', 'later'],
    ['Change the file or the ERP', 'later'],
    ['the last one to decide', 'later'],
    ['To test the writes', 'later'],
  ]);
  expect(screen).toMatch(/erp\.yaml:\d+:\d+: accounts\.main\.erp\.lists\.products\.row\.id: /);
  expect(screen).toMatch(/^products: cannot be read[^]*?erp\.yaml:\d+: +products:$/m);
  expect([exitCode, screen]).toEqual([75, expect.stringMatching(/^5 steps put off\./m)]);
  expect(written()).toContain('# a note of mine');
});

test('erp connect without a terminal names the three verbs, and writes nothing', async () => {
  const { exitCode, stderr } = await run([
    '--config',
    file,
    'erp',
    'connect',
    '--from',
    fixture('contract.openapi.yaml'),
  ]);
  expect([exitCode, existsSync(file)]).toEqual([64, false]);
  for (const verb of ['draft', 'try', 'check']) expect(stderr).toContain(`erp ${verb}`);
});

test('Ctrl-C ends erp connect as leaving does', async () => {
  const interrupt = () => {
    throw new Interrupted('stopped');
  };
  const { exitCode, screen } = await walk([['What describes', interrupt]]);
  expect([exitCode, screen]).toEqual([75, expect.stringContaining('Go on with: ')]);
});

test('erp connect reads files that an incorrect description has processed again with the corrected one', async () => {
  const exports = folder({
    'products-1.csv': 'Artikel;Bezeichnung;Preis\nA-1;Tea;2.80\nA-2;Coffee;3.20\n',
    'stock-1.csv': 'Artikel;Bestand\nA-1;40\nA-2;7\n',
  });
  const sku = (column: string, reply: string) => () => {
    edit((text) => text.replace(/sku: \w+ #/, `sku: ${column} #`));
    return reply;
  };
  const begun = () => {
    edit((text) => text.replace('type: files', 'type: files\n      stable_for: 10ms'));
    return sku('Bezeichnung', '')();
  };
  const right = ['to decide', ''] as const;
  const { screen } = await walk(
    [
      ['to decide', begun],
      right,
      right,
      right,
      right,
      right,
      ['to decide', '0'],
      ['Change these lines in the file', sku('Artikel', '')],
      LEAVE,
    ],
    '--from',
    exports,
  );
  expect(screen).toMatch(/^products: is read[^]*"sku": "Tea"[^]*^products: is read[^]*"sku": "A-1"/m);
});
