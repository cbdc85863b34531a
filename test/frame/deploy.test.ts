import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml, stringify } from 'yaml';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { CODES } from '../../src/domain/causes/cause.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';

/** The examples of config/deploy: each is checked by its own tool where there is one, and every name in it is checked. */
const FOLDER = join(import.meta.dirname, '../../config/deploy');
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
const dockerfile = readFileSync(join(FOLDER, '../../Dockerfile'), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const rules = (parseYaml(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

/** Samples, a minute apart, that make each rule fire, and samples that do not. */
const FIRES: Readonly<Record<string, readonly [series: string, bad: string, good: string]>> = {
  StockbridgeGone: ['up{job="stockbridge"}', '0x120', '1x120'],
  StockbridgeNotWorked: ['stockbridge_cursor_lag_seconds{account="main",collection="orders"}', '0x120', '0x5'],
  StockbridgeSideDown: ['stockbridge_up{account="main",side="erp"}', '0x120', '1 0x5 1x114'],
  StockbridgeNotRead: ['stockbridge_cursor_lag_seconds{account="main",collection="orders"}', '1700+60x120', '0+10x120'],
  StockbridgeOversold: ['stockbridge_alerts{account="main",code="oversold",turn="operator"}', '2x120', '0x120'],
  StockbridgeInDoubt: ['stockbridge_in_doubt_writes{account="main"}', '1x120', '1x10 0x110'],
  StockbridgeFailed: ['stockbridge_failed_jobs{account="main",flow="product"}', '1x120', '0x120'],
  StockbridgeNeedsSomebody: ['stockbridge_alerts{account="main",code="unmapped-product",turn="erp"}', '3x120', '0x120'],
  StockbridgeBrake: ['stockbridge_brake_plans_open{account="main",kind="zero"}', '1x120', '0x120'],
  StockbridgeBehind: ['stockbridge_pending_entities{account="main",flow="product"}', '200+5x120', '1000-8x120'],
  StockbridgeWebhooksSilent: ['stockbridge_webhook_silence_seconds{account="main",kind="orders"}', '0+60x120', '0x120'],
  StockbridgeNotifications: [
    'stockbridge_notifications_total{channel="office",outcome="given-up"}',
    '0x60 1+0x59',
    '5x120',
  ],
};

describe('the alert rules', () => {
  test('each have a case that makes them fire, and say what to do', () => {
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(FIRES).toSorted());
    for (const { annotations } of rules) expect(annotations).toMatchObject({ summary: /./, mend: /./ });
  });

  needing('promtool').test('fire when they should and sleep when they should, says promtool', () => {
    const path = folderOf({ 'alerts.yml': read('prometheus/alerts.yml') });
    const tests = rules.flatMap(({ alert }) => {
      const [series, bad, good] = FIRES[alert] ?? ['', '', ''];
      return [bad, good].map((values, index) => ({
        interval: '1m',
        input_series: [{ series, values }],
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
            eval_time: '110m',
            exp_samples: [{ labels: '{}', value: index === 0 ? 1 : 0 }],
          },
        ],
      }));
    });
    writeFileSync(path('tests.yml'), stringify({ rule_files: ['alerts.yml'], evaluation_interval: '1m', tests }));
    const { status, stdout, stderr } = spawnSync(programOf('promtool'), ['test', 'rules', path('tests.yml')], {
      encoding: 'utf8',
      cwd: dirname(path('tests.yml')),
    });
    expect(status, stdout + stderr).toBe(0);
  });

  test('and the board name metrics and codes that there are', async () => {
    const { registry } = createMetrics();
    const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    const board = JSON.parse(read('grafana/stockbridge.json')) as { panels: { targets: { expr: string }[] }[] };
    const asked = [
      ...rules.map(({ expr }) => expr),
      ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    for (const expr of asked) {
      for (const [name] of expr.matchAll(/stockbridge_\w+/g)) expect(known).toContain(name.replace(/_bucket$/, ''));
      for (const [, code = ''] of expr.matchAll(/code="([^"]+)"/g)) expect(Object.keys(CODES)).toContain(code);
    }
  });
});

needing('promtool').test('the configuration of Prometheus is one, says promtool', () => {
  const args = ['check', 'config', '--syntax-only', join(FOLDER, 'prometheus/prometheus.yml')];
  const { status, stderr } = spawnSync(programOf('promtool'), args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

needing('systemd').test('the unit is one, and lets the program do little else, says systemd', () => {
  const path = folderOf({ 'opt/stockbridge': '#!/bin/sh\n' });
  chmodSync(path('opt/stockbridge'), 0o755);
  mkdirSync(path('units'));
  const unit = read('systemd/stockbridge.service').replace(
    '/opt/stockbridge/.setup/stockbridge',
    path('opt/stockbridge'),
  );
  writeFileSync(path('units/stockbridge.service'), unit);
  const verified = spawnSync(programOf('systemd'), ['verify', '--man=no', path('units/stockbridge.service')], {
    encoding: 'utf8',
  });
  const said = verified.stderr.split('\n').filter((line) => line.includes('stockbridge.service'));
  expect(said).toEqual([]);
  const args = ['security', '--offline=true', '--threshold=25', path('units/stockbridge.service')];
  const { status, stdout, stderr } = spawnSync(programOf('systemd'), args, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});

interface Compose {
  readonly services: Readonly<
    Record<string, { ports?: string[]; volumes?: string[]; secrets?: string[]; read_only?: boolean }>
  >;
  readonly volumes: object;
  readonly secrets: object;
}

test('compose runs the image as it is made: its ports, its folders, read-only, and no port for everybody', () => {
  const { services, volumes, secrets } = parseYaml(read('compose/compose.yaml')) as Compose;
  const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
  const own = services['stockbridge'];
  expect(own?.ports?.map((port) => port.split(':').at(-1))).toEqual(exposed);
  expect(own?.read_only).toBe(true);
  expect(own?.secrets?.toSorted()).toEqual(Object.keys(secrets).toSorted());
  for (const { ports = [], volumes: mounts = [] } of Object.values(services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const mount of mounts) {
      const [from = ''] = mount.split(':');
      if (!from.startsWith('.')) expect(Object.keys(volumes)).toContain(from);
    }
  }
});

interface Kubernetes {
  readonly kind: string;
  readonly spec: {
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly replicas?: number;
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

test('Kubernetes runs one replica with a volume at /data, and its service reaches the ports of the image', () => {
  const [service, set] = parseAllDocuments(read('kubernetes/stockbridge.yaml')).map(
    (document) => document.toJS() as Kubernetes,
  );
  const [container] = set?.spec.template?.spec.containers ?? [];
  expect([service?.kind, set?.kind, set?.spec.replicas]).toEqual(['Service', 'StatefulSet', 1]);
  expect(service?.spec.ports?.map(({ targetPort }) => targetPort)).toEqual(container?.ports.map(({ name }) => name));
  const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ');
  expect(container?.ports.map(({ containerPort }) => String(containerPort))).toEqual(exposed);
  const volumes = [
    ...(set?.spec.template?.spec.volumes ?? []).map(({ name }) => name),
    ...(set?.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
  ];
  expect(container?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
  expect(container?.volumeMounts.find(({ name }) => name === 'data')?.mountPath).toBe('/data');
});

test('the guide tells of every example', () => {
  const guide = readFileSync(join(FOLDER, '../../src/guide/deploying.md'), 'utf8');
  for (const folder of readdirSync(FOLDER)) expect(guide).toContain(`config/deploy/${folder}`);
});
