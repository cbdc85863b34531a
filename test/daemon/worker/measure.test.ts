import { afterEach, expect, test } from 'vitest';
import { createMetrics } from '../../../src/admin/metrics.ts';
import type { Core } from '../../../src/core.ts';
import { measure } from '../../../src/daemon/worker/measure.ts';
import { NOTHING_WATCHED } from '../../../src/domain/webhook-loss.ts';
import { accountConfig, accountContext } from '../../flows/account.ts';
import { useShelf } from '../../store/shelf.ts';
import { until } from '../../support/stage.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const shelf = useShelf();
let stop = () => {};
afterEach(() => stop());

test('what is lost of webhooks and how long they have been silent is measured, and nothing of what is not known', async () => {
  const watches = {
    orders: { heardAtMs: NOW - 9 * MINUTE, silentSinceMs: NOW - 2 * MINUTE, hours: [{ atMs: NOW, heard: 1, lost: 3 }] },
    products: { heardAtMs: NOW },
  };
  for (const [kind, watch] of Object.entries(watches)) {
    await shelf().store.facts.set('main', `webhooks:${kind}`, JSON.stringify({ ...NOTHING_WATCHED, ...watch }));
  }
  const { marketplace, ...rest } = accountConfig();
  const signed = { secrets: ['s'], header: 'S', algorithm: 'hmac-sha256' as const, encoding: 'base64' as const };
  const contexts = [
    { ...rest, marketplace: { ...marketplace, webhooks: signed } },
    { ...rest, name: 'other', marketplace: { ...marketplace, webhooks: signed } },
  ].map((config) => ({ ...accountContext(shelf().store, config), now: () => NOW }));
  const metrics = createMetrics();
  const opened = contexts.map((context) => ({ context, quota: { usage: async () => null } }));
  ({ stop } = measure({ state: shelf(), metrics, opened } as unknown as Core));
  const measured = async () => {
    const text = await metrics.registry.metrics();
    return text.split('\n').filter((line) => /^stockbridge_webhook_(loss|silence)/.test(line));
  };
  await until('it is measured', async () => (await measured()).length === 3);
  expect(await measured()).toEqual([
    'stockbridge_webhook_loss_ratio{account="main",kind="orders"} 0.75',
    'stockbridge_webhook_silence_seconds{account="main",kind="orders"} 120',
    'stockbridge_webhook_silence_seconds{account="main",kind="products"} 0',
  ]);
});
