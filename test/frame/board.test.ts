import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../../src/demo/free-port.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { endServer, startServer } from '../support/redis.ts';
import { openStage, until } from '../support/stage.ts';

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets: readonly { readonly expr: string }[];
  readonly fieldConfig: { readonly defaults: { readonly thresholds?: { readonly steps: readonly unknown[] } } };
}

const BOARD = join(import.meta.dirname, '../../config/deploy/grafana/stockbridge.json');
const { panels } = JSON.parse(readFileSync(BOARD, 'utf8')) as { panels: Panel[] };

/** A real Prometheus that scrapes this address. Returns the function that evaluates a query, and leaves out what is no number. */
async function startPrometheus(target: string) {
  const port = await freePort();
  const path = folderOf({
    'prometheus.yml': stringify({
      global: { scrape_interval: '200ms', scrape_timeout: '200ms' },
      scrape_configs: [{ job_name: 'stockbridge', static_configs: [{ targets: [target] }] }],
    }),
  });
  const server = startServer(programOf('prometheus'), [
    `--config.file=${path('prometheus.yml')}`,
    `--storage.tsdb.path=${path('data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  onTestFinished(() => endServer(server));
  return async (query: string): Promise<number[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
    const answer = await fetch(url).catch(() => null);
    if (answer === null || answer.status === 503) return [];
    const { data, error } = (await answer.json()) as {
      data?: { result: { value: [number, string] }[] };
      error?: string;
    };
    if (data === undefined) throw new Error(`${query}: ${error}`);
    return data.result.map(({ value }) => Number(value[1])).filter((value) => Number.isFinite(value));
  };
}

describe('the board of Grafana', () => {
  needing('prometheus').test('the Grafana board has a value for each of its queries on a healthy system', async () => {
    const stage = await openStage();
    stage.erp.control.seed(3);
    const app = await stage.start();
    const ask = await startPrometheus(new URL(app.adminUrl ?? '').host);
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        await until(`${title} has a value`, async () => (await ask(expr.replaceAll('$account', '.*'))).length > 0);
      }
    }
  });

  test('each panel of the Grafana board has a description, and the value from which it is bad', () => {
    // Rates have no bad value: they follow the business.
    const rates = ['Writes a minute', 'Calls a minute by status'];
    for (const { title, description, fieldConfig } of panels) {
      expect([title, description?.length ?? 0]).toEqual([title, expect.toSatisfy((length: number) => length > 40)]);
      const steps = fieldConfig.defaults.thresholds?.steps ?? [];
      expect([title, steps.length]).toEqual([title, rates.includes(title) ? 1 : 2]);
    }
  });
});
