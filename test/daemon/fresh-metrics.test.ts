import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { BRAKE_KINDS } from '../../src/flows/engine/policy.ts';
import { LANES } from '../../src/marketplace/quota.ts';
import { TROUBLES } from '../../src/use/verdict.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { openStage, until } from '../support/stage.ts';

/** The metrics of a daemon that has just started on two empty sides. */
let text = '';
beforeEach(async () => {
  if (text !== '') return;
  const stage = await openStage();
  appendFileSync(stage.configFile, 'notify: [{ type: webhook, name: office, url: http://127.0.0.1:9/hook }]\n');
  const app = await stage.start();
  const scrape = async () => (await fetch(`${app.adminUrl}/metrics`)).text();
  await until('the account is worked', async () =>
    (await scrape()).includes('stockbridge_account_worked{account="main"} 1'),
  );
  text = await scrape();
  await stage.stop();
});

/** The values of the label of a metric of a fresh daemon. */
function valuesOf(metric: string, label: string): string[] {
  const samples = text.matchAll(new RegExp(`^stockbridge_${metric}\\{(.*)\\} `, 'gm'));
  const values = [...samples].flatMap(
    ([, labels = '']) => new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(labels)?.[1] ?? [],
  );
  return [...new Set(values)].toSorted();
}

describe('a fresh daemon', () => {
  test('a fresh daemon has a value of every metric, except of alerts, whose codes are hundreds, and of calls before the first one', () => {
    const named = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '']) => name);
    const without = named.filter((name) => !new RegExp(`^${name}(_bucket)?(\\{.*\\})? `, 'm').test(text));
    expect(named.length).toBeGreaterThan(30);
    const own = without.filter((name) => !/^nodejs_|^stockbridge_calls_total$/.test(name));
    expect(own).toEqual(['stockbridge_alerts']);
  });

  test.each([
    ['jobs_total', 'flow', ['order-in', 'order-out', 'product', 'read:all-erp-products', 'read:orders', 'stock']],
    ['jobs_total', 'outcome', ['failed', 'handed-back', 'held', 'in-sync', 'retried', 'waiting']],
    ['pending_entities', 'flow', ['order-in', 'order-out', 'product', 'stock']],
    ['held_entities', 'flow', ['order-in', 'order-out', 'product', 'stock']],
    ['failed_jobs', 'flow', ['order-in', 'order-out', 'product', 'stock']],
    ['cursor_lag_seconds', 'collection', ['erp-orders', 'erp-products', 'erp-stock', 'orders', 'products']],
    ['brake_plans_open', 'kind', [...BRAKE_KINDS]],
    ['not_in_step', 'kind', [...TROUBLES]],
    ['quota_wait_seconds_total', 'lane', [...LANES]],
    ['notifications_total', 'channel', ['office']],
    ['notifications_total', 'outcome', ['failed', 'given-up', 'sent']],
    ['trace_spans_total', 'outcome', ['dropped', 'sent']],
    ['webhooks_total', 'account', ['(unknown)', 'main']],
    [
      'webhooks_total',
      'outcome',
      ['duplicate', 'failed', 'flood', 'forged', 'garbage', 'nudged', 'stored', 'too-large', 'unknown', 'unsigned'],
    ],
    ['drift_total', 'kind', ['edited', 'late-line', 'own-write', 'unknown-order']],
    ['writes_total', 'kind', ['order-in.create', 'order-in.mark', 'order-out.create', 'product.create', 'stock.write']],
    ['writes_total', 'outcome', ['refused', 'unknown', 'written']],
    ['in_doubt_writes', 'account', ['main']],
    ['queue_info', 'prefix', [expect.stringMatching(/^\{stockbridge-[\da-f]{12}\/main\}$/)]],
    ['unlinked_products', 'side', ['erp', 'marketplace']],
    ['up', 'side', ['erp', 'marketplace', 'redis']],
    ['call_seconds_count', 'side', ['erp', 'marketplace']],
    ['erp_concurrency', 'what', ['in-use', 'limit']],
    ['quota_used_ratio', 'window', ['minute', 'second']],
    ['webhook_loss_ratio', 'kind', ['orders', 'products']],
    ['webhook_silence_seconds', 'kind', ['orders', 'products']],
  ])('a fresh daemon has %s by %s for all labels known beforehand', (metric, label, known) => {
    expect(valuesOf(metric, label)).toEqual(expect.arrayContaining(known));
  });

  test('a fresh daemon counts nothing that has not happened', () => {
    const counted = [
      ...text.matchAll(/^(stockbridge_(?:jobs|drift|notifications|webhooks|trace_spans)_total\{.*\}) (.*)$/gm),
    ];
    expect(counted.length).toBeGreaterThan(40);
    expect(counted.filter(([, , value]) => value !== '0').map(([sample]) => sample)).toEqual([]);
  });

  test('a fresh daemon reports its version, and the metrics of Node under their usual names', () => {
    expect(text).toContain(`stockbridge_build_info{version="${manifest.version}",node="${process.version}"} 1\n`);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).not.toMatch(/stockbridge_(process|nodejs)/);
  });

  needing('promtool').test('promtool finds nothing wrong with the metrics of a fresh daemon', () => {
    const { status, stdout, stderr } = spawnSync(programOf('promtool'), ['check', 'metrics'], {
      encoding: 'utf8',
      input: text,
    });
    expect([status, stdout + stderr]).toEqual([0, '']);
  });
});
