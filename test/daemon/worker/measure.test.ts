import { afterEach, expect, test } from 'vitest';
import type { Core } from '../../../src/core/core.ts';
import { createMetrics } from '../../../src/daemon/metrics.ts';
import { createHealth } from '../../../src/daemon/worker/health.ts';
import { measure } from '../../../src/daemon/worker/measure.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { NOTHING_WATCHED } from '../../../src/domain/webhook-loss.ts';
import { paceOf } from '../../../src/shadow/erp-pace.ts';
import { accountConfig, accountContext } from '../../flows/account.ts';
import { useShelf } from '../../store/shelf.ts';
import { until } from '../../support/stage.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const shelf = useShelf();
let stop = () => {};
afterEach(() => stop());

test('metrics count lost webhooks and the length of their silence, and are 0 where none is lost', async () => {
  const watches = {
    orders: { heardAtMs: NOW - 9 * MINUTE, silentSinceMs: NOW - 2 * MINUTE, hours: [{ atMs: NOW, heard: 1, lost: 3 }] },
    products: { heardAtMs: NOW },
  };
  for (const [kind, watch] of Object.entries(watches)) {
    await shelf().store.facts.set('main', `webhooks:${kind}`, JSON.stringify({ ...NOTHING_WATCHED, ...watch }));
  }
  const { marketplace, ...rest } = accountConfig();
  const signed = {
    secrets: ['s'],
    header: 'S',
    algorithm: 'hmac-sha256' as const,
    encoding: 'base64' as const,
    prefix: '',
  };
  const contexts = [
    { ...rest, marketplace: { ...marketplace, webhooks: signed } },
    { ...rest, name: 'other', marketplace: { ...marketplace, webhooks: signed } },
  ].map((config) => ({ ...accountContext(shelf().store, config), now: () => NOW }));
  const metrics = createMetrics();
  const quota = { usage: async () => null };
  const known = new Map(contexts.map((context) => [context.account, { context, quota }] as const));
  const core = {
    state: shelf(),
    metrics,
    known,
    accounts: new Map(),
    paces: new Map(),
    health: createHealth(() => NOW),
  } as unknown as Core;
  ({ stop } = measure({ ...core, troubles: [], standing: async () => new Map(), counts: async () => new Map() }));
  const measured = async () => {
    const text = await metrics.registry.metrics();
    return text.split('\n').filter((line) => /^stockbridge_webhook_(loss|silence)/.test(line));
  };
  await until('it is measured', async () =>
    (await measured()).includes('stockbridge_webhook_loss_ratio{account="main",kind="orders"} 0.75'),
  );
  expect(await measured()).toEqual([
    'stockbridge_webhook_loss_ratio{account="main",kind="orders"} 0.75',
    'stockbridge_webhook_loss_ratio{account="main",kind="products"} 0',
    'stockbridge_webhook_loss_ratio{account="other",kind="orders"} 0',
    'stockbridge_webhook_loss_ratio{account="other",kind="products"} 0',
    'stockbridge_webhook_silence_seconds{account="main",kind="orders"} 120',
    'stockbridge_webhook_silence_seconds{account="main",kind="products"} 0',
    'stockbridge_webhook_silence_seconds{account="other",kind="orders"} 0',
    'stockbridge_webhook_silence_seconds{account="other",kind="products"} 0',
  ]);
});

test('metrics count the concerns by their code and whose turn it is, and each side by whether it answers', async () => {
  const metrics = createMetrics();
  const health = createHealth(() => NOW);
  health.answered('main', 'marketplace');
  health.failed(
    'main',
    new CallFailure('no', { side: 'erp', kind: 'credentials', outcome: 'not-applied', status: 401 }),
  );
  const needs = [
    { code: 'unmapped', causes: 3, example: { turn: 'erp' } },
    { code: 'unmapped', causes: 2, example: { turn: 'erp' } },
    { code: 'oversold', causes: 1, example: { turn: 'operator' } },
  ];
  const core = {
    state: shelf(),
    metrics,
    known: new Map(),
    accounts: new Map([['main', {}]]),
    paces: new Map(),
    health,
  } as unknown as Core;
  ({ stop } = measure({
    ...core,
    troubles: [],
    standing: async () => new Map([['main', needs]]),
    counts: async () => new Map(),
  }));
  const measured = async () => {
    const text = await metrics.registry.metrics();
    return text.split('\n').filter((line) => /^stockbridge_(up|alerts)\{/.test(line));
  };
  await until('it is measured', async () => (await measured()).length >= 5);
  expect(await measured()).toEqual([
    'stockbridge_up{account="main",side="marketplace"} 1',
    'stockbridge_up{account="main",side="erp"} 0',
    'stockbridge_up{account="main",side="redis"} 1',
    'stockbridge_alerts{account="main",code="unmapped",turn="erp"} 5',
    'stockbridge_alerts{account="main",code="oversold",turn="operator"} 1',
  ]);
});

test('metrics have the number of parallel calls to the ERP, and its changes are recorded with the reason', async () => {
  const metrics = createMetrics();
  const write = { limit: 2, inUse: 1, because: 'slower' as const };
  const paces = new Map([['main', new Map([['write', write]])]]);
  const core = {
    state: shelf(),
    metrics,
    known: new Map(),
    accounts: new Map(),
    paces,
    health: createHealth(() => NOW),
  } as unknown as Core;
  ({ stop } = measure({ ...core, troubles: [], standing: async () => new Map(), counts: async () => new Map() }));
  const noted = () => paceOf({ account: 'main', store: shelf().store });
  await until('it is on record', async () => (await noted()).write);
  expect(await noted()).toEqual({ write: { limit: 2, because: 'slower' } });
  const text = await metrics.registry.metrics();
  expect(text.split('\n').filter((line) => line.startsWith('stockbridge_erp_concurrency{'))).toEqual([
    'stockbridge_erp_concurrency{account="main",kind="write",what="limit"} 2',
    'stockbridge_erp_concurrency{account="main",kind="write",what="in-use"} 1',
  ]);
});
