import { userInfo } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import { cause, sentenceOf } from '../../src/domain/causes/cause.ts';
import type { FailureCode } from '../../src/domain/causes/reads.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { INTENT_KINDS } from '../../src/store/intent-kinds.ts';
import type { Store } from '../../src/store/store.ts';
import { erpProduct, order, orderBatch } from '../store/shelf.ts';
import { openStage, until } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

const here = { account: 'main' };
const NOBODY = 'No daemon is running. To process it: stockbridge run, or stockbridge sync.\n';

let site: ReturnType<typeof installation>;
let store: Store;

async function openSite(accounts?: string): Promise<void> {
  site = installation(accounts);
  ({ store } = await site.open());
}
beforeEach(() => openSite());

async function fail(flow: string, key: string, code: FailureCode, message: string, account = 'main'): Promise<void> {
  const target = { account, flow, key };
  await store.work.mark([target], 'poll', 'changed in the ERP');
  await store.work.fail(target, 1, code, message, 3);
}

const DOUBT = cause('several-match', { found: ['ERP order E-1', 'ERP order E-2'], sent: true });

/** The choices for the doubt that `holdInDoubt` leaves. */
const CHOICES = [
  'stockbridge jobs resolve 1 --adopt E-1',
  'stockbridge jobs resolve 1 --adopt E-2',
  'stockbridge jobs resolve 1 --retry',
  'stockbridge jobs resolve 1 --drop',
];

async function holdInDoubt(number: string): Promise<void> {
  const target = { ...here, flow: 'order-in', key: number };
  await store.work.mark([target], 'poll', 'order seen');
  const id = await store.intents.open({ ...here, kind: 'order-in', key: number, externalId: number });
  await store.intents.inDoubt(id, DOUBT, ['E-1', 'E-2']);
  await store.work.hold(target, 1, [DOUBT]);
}

const states = async (flow: string, key: string) => (await store.work.get({ ...here, flow, key }))?.state ?? 'gone';
const ids = async () => (await store.work.failed()).map(({ id }) => id);

test('jobs list groups failed jobs by cause, with the latest as an example and the ids', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'name: too long');
  await fail('product', 'P-2', 'marketplace-refused', 'price: missing');
  await fail('order-in', 'N-1', 'program-error', 'oops');
  const { exitCode, stdout } = await site.run('jobs', 'list');
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\d{4}-\S+ \S+Z/g, 'WHEN')).toBe(
    [
      "marketplace-refused (2): the marketplace's turn",
      '  latest, WHEN, product P-2: price: missing',
      '  -> Fix the reason in the answer. Then: stockbridge jobs replay --error refused',
      '  ids 1 2',
      'program-error (1): your turn',
      '  latest, WHEN, order-in N-1: oops',
      '  -> This is a bug of Stockbridge or a fault of the machine: see the log. Then: stockbridge jobs',
      '    replay --error program-error',
      '  ids 3',
      '',
    ].join('\n'),
  );
});

test('jobs list counts a held write in doubt once, as in doubt', async () => {
  await holdInDoubt('N-1');
  const { stdout, stderr } = await site.run('jobs', 'list');
  expect(stdout.replace(/\d{4}-\S+ \S+Z/, 'WHEN')).toBe(
    [
      'No failed jobs.',
      'in doubt (1)',
      '  1: order-in N-1, begun WHEN, in doubt',
      '    found: 2 entities match the create whose answer was lost: ERP order E-1, ERP order E-2',
      ...CHOICES.map((choice) => `    ${choice}`),
      '',
    ].join('\n'),
  );
  expect(stderr).not.toContain('Besides');
  expect(await site.json('jobs', 'list')).toMatchObject({
    causes: [],
    held: 0,
    inDoubt: 1,
    doubts: [{ id: 1, flow: 'order-in', key: 'N-1', sent: null, candidates: ['E-1', 'E-2'] }],
  });
});

test('jobs list also says what is held', async () => {
  const held = { ...here, flow: 'order-in', key: 'N-9' };
  await store.work.mark([held], 'poll', 'order seen');
  await store.work.hold(held, 1, [cause('paused', { reason: 'stocktaking' })]);
  const id = await store.intents.open({ ...here, kind: 'unseen-sale', key: 'P-1', externalId: 'P-1' });
  await store.intents.inDoubt(id, cause('unseen-sale', { listing: 70, quantity: '3' }));
  expect((await site.run('jobs', 'list')).stderr).toMatch(/^Besides, 1 held: stockbridge jobs list --state held\. /);
  await holdInDoubt('N-1');
  expect((await site.run('jobs', 'list')).stderr).toMatch(/^Besides, 1 held: /);
});

test('jobs list filters by account, and by a part of the cause or message', async () => {
  await openSite(TWO_ACCOUNTS);
  await fail('product', 'P-1', 'erp-refused', 'no such Customer');
  await fail('product', 'P-1', 'erp-refused', 'too long', 'other');
  const found = async (...args: string[]) => {
    const { causes } = (await site.json('jobs', 'list', ...args)) as { causes: { jobs: { id: number }[] }[] };
    return causes.flatMap(({ jobs }) => jobs.map(({ id }) => id));
  };
  expect(await found()).toEqual([1, 2]);
  expect(await found('--account', 'other')).toEqual([2]);
  expect(await found('--error', 'customer')).toEqual([1]);
  expect(await found('--error', 'ERP-REFUSED', '--account', 'main')).toEqual([1]);
  expect(await found('--error', 'nothing like it')).toEqual([]);
  const unknown = await site.run('jobs', 'list', '--account', 'mian');
  expect(unknown).toMatchObject({ exitCode: 64, stdout: '' });
  expect(unknown.stderr).toContain('did you mean "main"');
});

describe('jobs list --state', () => {
  beforeEach(async () => {
    await fail('product', 'P-1', 'marketplace-refused', 'name: too long');
    await holdInDoubt('N-1');
    const held = { ...here, flow: 'stock', key: 'P-2' };
    await store.work.mark([held], 'poll', 'stock seen');
    await store.work.hold(held, 1, [cause('paused', { reason: 'stocktaking' })]);
    await setAlert({ ...here, store }, 'stock:P-3', [cause('paused', { reason: 'a lift is out of order' })]);
  });
  const list = async (state: string, ...args: string[]) => {
    const { exitCode, stdout } = await site.run('jobs', 'list', '--state', state, ...args);
    expect(exitCode).toBe(0);
    return stdout.replaceAll(/\d{4}-\S+ \S+Z/g, 'WHEN');
  };

  test('jobs list --state held prints each cause once, with the keys that wait for it', async () => {
    expect((await list('held', '--error', 'stocktaking')).split('\n')).toEqual([
      'paused (1): your turn',
      `  latest, WHEN, stock P-2: ${sentenceOf(cause('paused', { reason: 'stocktaking' }))}`,
      expect.stringMatching(/^ {2}-> .*stockbridge resume FLOW$/),
      '  keys stock/P-2',
      '',
    ]);
    const { causes, held } = (await site.json('jobs', 'list', '--state', 'held')) as Listed;
    expect(held).toBe(1);
    const [inDoubt, paused] = causes;
    expect(inDoubt).toMatchObject({ code: 'several-match', count: 1, jobs: [{ flow: 'order-in', key: 'N-1' }] });
    expect(paused?.jobs).toEqual([
      expect.objectContaining({ ...here, flow: 'stock', key: 'P-2', turn: 'operator', since: expect.any(String) }),
    ]);
  });

  test('jobs list with failed, in-doubt or alert prints only the entries of that state', async () => {
    expect(await list('failed')).toMatch(/^marketplace-refused \(1\): [^]*\n {2}ids 1\n$/);
    expect(await list('in-doubt')).toMatch(/^in doubt \(1\)\n/);
    expect(await list('alert')).toMatch(/^paused \(1\): .*\n {2}such as stock P-3: .*a lift is out of order\n/);
    expect(await site.json('jobs', 'list', '--state', 'alert')).toMatchObject({ held: 0, inDoubt: 0, doubts: [] });
  });

  test('jobs list says when a state is empty, and refuses an unknown state', async () => {
    await store.work.discard(await store.work.failed(), 'me');
    expect(await list('failed')).toBe('No failed jobs.\n');
    expect(await list('alert', '--error', 'fire')).toBe('Nothing matches.\n');
    expect((await site.run('jobs', 'list', '--state', 'done')).exitCode).toBe(64);
  });
});

interface Listed {
  readonly held: number;
  readonly causes: readonly { readonly jobs: readonly object[] }[];
}

test('status names what is in doubt as it can be typed', async () => {
  const id = await store.intents.open({ ...here, kind: 'unseen-sale', key: 'P-1', externalId: 'P-1' });
  await store.intents.inDoubt(id, cause('unseen-sale', { listing: 70, quantity: '3' }));
  expect((await site.run('status')).stdout).toContain(
    '      1  in doubt unseen-sale: your turn\n           stock/P-1: 3 reserved units of listing 70 are gone',
  );
  expect((await site.run('jobs', 'resolve', 'stock/P-1', '--retry')).exitCode).toBe(0);
});

test.each([
  ['product-line', '9/summer'],
  ['image', '70/1'],
  ['customer-in', '5'],
] as const)('jobs show finds a %s in doubt by FLOW/KEY', async (kind, key) => {
  const id = await store.intents.open({ ...here, kind, key, externalId: key });
  await store.intents.inDoubt(id, DOUBT, ['1', '2']);
  const { flow } = INTENT_KINDS[kind];
  expect((await site.run('jobs', 'resolve', `${flow}/${key}`, '--drop')).exitCode).toBe(0);
});

test('jobs show prints everything known by id, by FLOW/KEY or by a flow and a key', async () => {
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.mappings.link({ ...here, kind: 'product', marketplaceId: '7', erpId: 'P-1', how: 'sku' });
  const entry = { ...here, flow: 'product', key: 'P-1', action: 'product.patch', target: 'listing 7' };
  for (const after of ['first', 'second']) {
    await store.journal.add({ ...entry, before: null, after, why: 'it differs', outcome: 'refused', answer: 'no' });
  }
  const { version = 0 } = (await store.work.get({ ...here, flow: 'product', key: 'P-1' })) ?? {};
  await store.work.fail({ ...here, flow: 'product', key: 'P-1' }, version, 'marketplace-refused', 'too long', 1);

  const shown = await site.json('jobs', 'show', '1');
  expect(shown).toMatchObject({
    account: 'main',
    flow: 'product',
    key: 'P-1',
    failed: { id: 1, code: 'marketplace-refused', params: { message: 'too long' }, text: 'too long', attempts: 1 },
    work: { state: 'failed', reason: 'linked (sku)' },
    link: { marketplace_id: '7', erp_id: 'P-1', how: 'sku' },
    marketplace: null,
    erp: { id: 'P-1', sku: 'SB-1', active: true, available: null },
    journal: [{ after: 'second' }, { after: 'first' }],
  });
  expect(await site.json('jobs', 'show', 'product/P-1')).toEqual(shown);
  expect(await site.json('jobs', 'show', 'product', 'P-1')).toEqual(shown);
  const { stdout, stderr } = await site.run('jobs', 'show', '1');
  expect(stdout).toContain('product P-1 of main\nfailed       job 1, ');
  expect(stdout).toContain('too long');
  expect(stdout.indexOf('- -> second')).toBeLessThan(stdout.indexOf('- -> first'));
  expect(stderr).toBe('Once the cause is gone: stockbridge jobs replay 1\n');
});

test('jobs show prints a long refusal once', async () => {
  const refusal = `marketplace products.create: 400: the request was refused. ${'It says much. '.repeat(5)}`;
  const target = { ...here, flow: 'product', key: 'P-1' } as const;
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  const entry = { ...target, action: 'product.create', target: 'a listing for SB-1', before: null, after: null };
  for (let tries = 0; tries < 2; tries += 1) {
    const create = { ...here, kind: 'product', key: 'P-1', externalId: 'P-1' } as const;
    await store.intents.refused(await store.intents.open(create), cause('not-applied', { answer: refusal }));
    await store.journal.add({ ...entry, why: 'no listing for it yet', outcome: 'refused', answer: refusal });
  }
  const { version = 0 } = (await store.work.get(target)) ?? {};
  await store.work.fail(target, version, 'marketplace-refused', refusal, 1);
  const { stdout } = await site.run('jobs', 'show', 'product/P-1');
  expect(stdout.match(/400: the request was refused/g)).toHaveLength(1);
  expect(stdout.match(/as\s+above/g)).toHaveLength(4);
  expect((await site.json('jobs', 'show', 'product/P-1')) as object).toMatchObject({
    journal: [{ answer: refusal }, { answer: refusal }],
  });
});

test('jobs show prints why an order is held, both sides, and the attempted creates', async () => {
  await holdInDoubt('N-1');
  await store.orders.record(orderBatch([order({ number: 'N-1' })]));
  await store.work.hold({ ...here, flow: 'order-in', key: 'N-1' }, 2, [DOUBT]);
  expect(await site.json('jobs', 'show', 'order-in', 'N-1')).toMatchObject({
    failed: null,
    work: { state: 'held', held_for: [{ ...DOUBT, turn: 'operator' }] },
    marketplace: { status: 'Submitted', customer: '5 (Corner Shop)', lines: ['7 x listing 70'] },
    erp: null,
    creates: [{ kind: 'order-in', state: 'in-doubt', evidence: DOUBT }],
  });
  const { stdout, stderr } = await site.run('jobs', 'show', 'order-in', 'N-1');
  expect(stdout).toMatch(
    /^held {9}2 entities match the create whose answer was lost: ERP order E-1, ERP order E-2 \(several-match;\n {15}your turn\)/m,
  );
  expect(stderr).toContain('stockbridge jobs resolve 1 --adopt E-2\n  stockbridge jobs resolve 1 --retry');
});

test('jobs show finds a doubt by its number, and both when a failed job has the same', async () => {
  await holdInDoubt('N-1');
  const { exitCode, stdout, stderr } = await site.run('jobs', 'show', '1');
  expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'order-in N-1 of main']);
  expect(stderr).not.toContain('is also');
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  const both = await site.run('jobs', 'show', '1');
  expect([both.exitCode, both.stdout.split('\n')[0]]).toEqual([0, 'product P-1 of main']);
  expect(both.stderr).toContain('1 is also order-in N-1, in doubt: stockbridge jobs show order-in/N-1\n');
});

test('jobs show exits 1 for an unknown key, and 64 for an invalid name', async () => {
  const unknown = await site.run('jobs', 'show', '9');
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain('9 is neither a failed job nor in doubt: "stockbridge jobs list" shows what is');
  const nowhere = await site.run('jobs', 'show', 'order-in', 'N-9');
  expect(nowhere).toMatchObject({ exitCode: 1, stdout: '' });
  expect(nowhere.stderr).toContain('account main has no record of order-in N-9');
  const odd = await site.run('jobs', 'show', 'oder/N-9');
  expect(odd).toMatchObject({ exitCode: 64, stdout: '' });
  expect(odd.stderr).toContain('flows are product, ');
});

test('jobs replay reconciles both sides anew; the failed job stays until that succeeded', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  await fail('order-in', 'N-1', 'erp-refused', 'no');
  expect(await site.run('jobs', 'replay', 'order-in/N-1')).toEqual({
    exitCode: 0,
    stdout: '1 failed job replayed:\n  queued 2: order-in N-1 (erp-refused)\n',
    stderr: `${NOBODY}See the result of each in the audit log: stockbridge audit list\n`,
  });
  expect([await states('order-in', 'N-1'), await states('product', 'P-1'), await ids()]).toEqual([
    'pending',
    'failed',
    [1, 2],
  ]);
  expect(await store.journal.of('main', 'order-in', 'N-1', 1)).toMatchObject([
    { action: 'job.replay', outcome: 'noted', why: `by ${userInfo().username}`, before: 'erp-refused: no' },
  ]);
  const { version = 0 } = (await store.work.get({ ...here, flow: 'order-in', key: 'N-1' })) ?? {};
  await store.work.settle({ ...here, flow: 'order-in', key: 'N-1' }, version);
  expect(await ids()).toEqual([1]);
});

test('jobs replay takes all jobs by their message, and only lists them with --dry-run', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  await fail('product', 'P-2', 'erp-refused', 'no');
  expect(await site.json('jobs', 'replay', '--all', '--dry-run')).toMatchObject({ dry_run: true, count: 2 });
  expect([await states('product', 'P-1'), await states('product', 'P-2')]).toEqual(['failed', 'failed']);
  await site.run('jobs', 'replay', '--error', 'long');
  expect([await states('product', 'P-1'), await states('product', 'P-2')]).toEqual(['pending', 'failed']);
  await site.run('jobs', 'replay', '--all', '--yes');
  expect(await states('product', 'P-2')).toBe('pending');
});

test('jobs replay of several jobs requires --yes, after it has counted them', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  await fail('product', 'P-2', 'marketplace-refused', 'too long');
  await fail('product', 'P-3', 'erp-refused', 'no');
  for (const more of [[], ['--json']]) {
    const { exitCode, stdout, stderr } = await site.run('jobs', 'replay', '--all', ...more);
    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain('3 would be replayed (2 marketplace-refused, 1 erp-refused). Nothing was done');
  }
  expect(await states('product', 'P-1')).toBe('failed');
  expect((await site.run('jobs', 'replay', '--all', '--yes')).exitCode).toBe(0);
  expect(await Promise.all(['P-1', 'P-2', 'P-3'].map((key) => states('product', key)))).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
});

test.each([
  [true, 'pending'],
  [false, 'failed'],
])('jobs replay asks at a terminal: %s', async (answer, state) => {
  for (const key of ['P-1', 'P-2']) await fail('product', key, 'erp-refused', 'no');
  const asked: string[] = [];
  const confirm = async (question: string) => {
    asked.push(question);
    return answer;
  };
  const { exitCode, stderr } = await site.runAsked(confirm, 'jobs', 'replay', '--error', 'refused');
  expect([exitCode, asked, await states('product', 'P-2')]).toEqual([
    0,
    ['2 would be replayed (2 erp-refused). Replay all of them?'],
    state,
  ]);
  expect(stderr.includes('Nothing was done.')).toBe(!answer);
});

test('jobs replay filters by cause, account, age and number together', async () => {
  await openSite(TWO_ACCOUNTS);
  for (const account of ['main', 'other']) {
    for (const key of ['P-1', 'P-2', 'P-3']) await fail('product', key, 'erp-refused', 'no', account);
  }
  await fail('order-in', 'N-1', 'marketplace-refused', 'no');
  const found = async (...args: string[]) => {
    const { count, jobs } = (await site.json('jobs', 'replay', '--dry-run', ...args)) as {
      count: number;
      jobs: { id: number }[];
    };
    return [count, jobs.map(({ id }) => id)];
  };
  expect(await found('--error', 'erp', '--account', 'other', '--older-than', '0s', '--limit', '2')).toEqual([
    2,
    [4, 5],
  ]);
  expect(await found('--older-than', '1h')).toEqual([0, []]);
  expect(await found('--all', '--limit', '1')).toEqual([1, [1]]);
  for (const odd of [
    ['--older-than', '2 hours'],
    ['--limit', '0'],
    ['--limit', '3'],
    ['1', '--limit', '1'],
  ]) {
    expect((await site.run('jobs', 'replay', ...odd)).exitCode, odd.join(' ')).toBe(64);
  }
});

test('jobs replay can wait for the result only with a daemon', async () => {
  await fail('product', 'P-1', 'erp-refused', 'no');
  const { exitCode, stderr } = await site.run('jobs', 'replay', '1', '--wait');
  expect([exitCode, await states('product', 'P-1')]).toEqual([64, 'failed']);
  expect(stderr).toContain('none runs on this data');
});

test('jobs replay with an unknown job does nothing at all', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  const { exitCode, stderr } = await site.run('jobs', 'replay', '1', '9', 'stock/P-1');
  expect([exitCode, await states('product', 'P-1')]).toEqual([1, 'failed']);
  expect(stderr).toContain('there is no failed job 9, stock/P-1. Nothing was done');
});

test('jobs replay requires a filter; no match is no error', async () => {
  expect((await site.run('jobs', 'replay')).exitCode).toBe(64);
  expect((await site.run('jobs', 'replay', '1', '--all')).exitCode).toBe(64);
  expect(await site.run('jobs', 'replay', '--all')).toEqual({
    exitCode: 0,
    stdout: 'No failed job to replay.\n',
    stderr: '',
  });
});

test('jobs discard removes a named job, and records it in the journal', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  expect((await site.run('jobs', 'discard', '1', '--dry-run')).stdout).toContain('1 failed job would be discarded');
  expect(await ids()).toEqual([1]);
  const { exitCode, stdout } = await site.run('jobs', 'discard', '1');
  expect([exitCode, stdout]).toEqual([
    0,
    '1 failed job discarded:\n  1: product P-1 (marketplace-refused): too long\n',
  ]);
  expect([await ids(), await states('product', 'P-1')]).toEqual([[], 'gone']);
  expect(await store.journal.of('main', 'product', 'P-1', 1)).toMatchObject([
    {
      action: 'job.discard',
      outcome: 'noted',
      target: 'failed job 1',
      before: 'marketplace-refused: too long',
      why: `by ${userInfo().username}`,
    },
  ]);
});

test('jobs discard keeps a job whose key has changed since it failed', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  await store.work.mark([{ ...here, flow: 'product', key: 'P-1' }], 'poll', 'changed again');
  await site.run('jobs', 'discard', '1');
  expect([await ids(), await states('product', 'P-1')]).toEqual([[], 'pending']);
});

test('jobs discard of several jobs requires --yes, and only lists them without it', async () => {
  for (const key of ['P-1', 'P-2']) await fail('product', key, 'marketplace-refused', 'too long');
  const { exitCode, stdout, stderr } = await site.run('jobs', 'discard', '--error', 'long');
  expect([exitCode, await ids()]).toEqual([64, [1, 2]]);
  expect(stdout).toContain('2 failed jobs would be discarded:\n  1: product P-1');
  expect(stderr).toContain('add --yes');
  expect((await site.run('jobs', 'discard', '--error', 'long', '--yes')).exitCode).toBe(0);
  expect(await ids()).toEqual([]);
});

test('jobs discard requires a filter; an unknown job exits 1; no match is no error', async () => {
  expect((await site.run('jobs', 'discard')).exitCode).toBe(64);
  expect((await site.run('jobs', 'discard', '4')).exitCode).toBe(1);
  expect((await site.run('jobs', 'discard', 'order-in/N-1')).exitCode).toBe(1);
  expect((await site.run('jobs', 'discard', '--account', 'main')).stdout).toBe('No failed job to discard.\n');
});

test.each(['order-in/N-1', '1'])('jobs discard refuses a write in doubt with the choices for it: %s', async (name) => {
  await holdInDoubt('N-1');
  for (const verb of ['discard', 'replay']) {
    const { exitCode, stdout, stderr } = await site.run('jobs', verb, name);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      [
        `stockbridge: there is no failed job ${name}. Nothing was done`,
        'order-in N-1 is in doubt. What is it?',
        ...CHOICES.map((choice) => `  ${choice}`),
        '',
      ].join('\n'),
    );
  }
  expect((await store.intents.unsettled({ ...here, kind: 'order-in', key: 'N-1' }))?.state).toBe('in-doubt');
  expect(await states('order-in', 'N-1')).toBe('held');
});

test('jobs discard cancels a replay that still waits', async () => {
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  await site.run('jobs', 'replay', '1');
  expect(await states('product', 'P-1')).toBe('pending');
  await site.run('jobs', 'replay', '1');
  await site.run('jobs', 'discard', '1');
  expect([await ids(), await states('product', 'P-1')]).toEqual([[], 'gone']);
});

test.each(['before', 'after'])('jobs discard keeps a job whose key has changed %s it was replayed', async (when) => {
  const target = { ...here, flow: 'product', key: 'P-1' };
  await fail('product', 'P-1', 'marketplace-refused', 'too long');
  if (when === 'before') await store.work.mark([target], 'poll', 'changed again');
  await site.run('jobs', 'replay', '1');
  if (when === 'after') await store.work.mark([target], 'poll', 'changed again');
  await site.run('jobs', 'discard', '1');
  expect([await ids(), await store.work.get(target)]).toMatchObject([
    [],
    { state: 'pending', reason: 'changed again' },
  ]);
});

test('without a database jobs reports no success, and creates none', async () => {
  const empty = installation();
  const { exitCode, stdout, stderr } = await empty.run('jobs', 'list');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('stockbridge.db does not exist: nothing has run with this configuration yet');
  expect((await empty.run('migrate', '--check')).exitCode).toBe(2);
});

test('a running daemon works on a replayed job', async () => {
  const stage = await openStage();
  const { marketplace, erp, configFile } = stage;
  const verb = (...args: string[]) => run([...args, '--config', configFile]);
  erp.control.seed(1);
  await stage.start();
  const listing = await until('the listing is there', () => marketplace.products()[0]);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const refusal = {
    kind: 'status',
    method: 'POST',
    path: '/v1/orders',
    status: 422,
    error: 'closed for today',
  } as const;
  erp.control.inject(refusal);
  const { number } = marketplace.placeOrder({ customer: buyer, items: [{ product: listing.id, quantity: '2' }] });
  await until('it has failed', async () => (await verb('jobs', 'list')).stdout.includes('closed for today'));
  expect(erp.control.findOrders(number)).toEqual([]);
  expect((await verb('jobs', 'replay', `order-in/${number}`)).stdout).toContain('queued 1: order-in');
  await until('it is not listed any more', async () => (await verb('jobs', 'list')).stdout === 'No failed jobs.\n');
  expect(erp.control.findOrders(number)).toHaveLength(1);
});
