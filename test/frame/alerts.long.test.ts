import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml, stringify } from 'yaml';
import { z } from 'zod';
import { createMetrics, measureDisk } from '../../src/daemon/metrics.ts';
import { CODES, type Code } from '../../src/domain/causes/cause.ts';
import { DOUBT_CODES } from '../../src/domain/causes/creates.ts';
import { FAILURE_CODES } from '../../src/domain/causes/reads.ts';
import { PLAN_CODES } from '../../src/use/held-groups.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { HARMS, HEALTHY, type Samples } from './harms.ts';

/** The alert rules of config/deploy, as each deployment loads them and labels its series. */
const FOLDER = join(import.meta.dirname, '../../config/deploy');
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}
type Labels = Readonly<Record<string, string>>;

const RULES = parseYaml(read('prometheus/alerts.yml')) as Rules;
const rules = RULES.groups.flatMap((group) => group.rules);

/** The manifest of the Prometheus Operator, which is made of the rules. To make it anew, run this file with --update=true. */
function ofOperator(): string {
  const monitor = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'stockbridge', labels: { app: 'stockbridge' } },
    spec: {
      selector: { matchLabels: { app: 'stockbridge' } },
      podMetricsEndpoints: [{ port: 'admin', path: '/metrics' }],
    },
  };
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'stockbridge', labels: { app: 'stockbridge' } },
    spec: RULES,
  };
  return `# For the Prometheus Operator: what is scraped, and the alert rules, for one daemon or several.
#   kubectl apply -f monitoring.yaml
# Give both the labels by which your Prometheus selects them, often release: NAME. Without the operator, a Prometheus that follows
# the annotations prometheus.io/scrape of the pods scrapes them, and takes config/deploy/prometheus/alerts.yml as it is.
${[monitor, rule].map((one) => stringify(one, { lineWidth: 0 })).join('---\n')}`;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Rules & { readonly replicas?: number };
}

const manifests = (path: string) => parseAllDocuments(read(path)).map((one) => one.toJS() as Manifest);

/** The labels of the daemons of a Compose file, as the configuration of its Prometheus makes them. */
function scrapedBy(path: string): Labels[] {
  const { scrape_configs: jobs } = parseYaml(read(path)) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };
  return jobs.flatMap(({ job_name: job, static_configs: of }) =>
    of.flatMap(({ targets }) => targets.map((instance) => ({ job, instance }))),
  );
}

/** The labels of the pods of a manifest, as the Prometheus Operator makes them. */
function podsOf(path: string): Labels[] {
  const monitor = manifests('kubernetes/monitoring.yaml').find(({ kind }) => kind === 'PodMonitor');
  const set = manifests(path).find(({ metadata, spec }) => metadata.name === 'stockbridge' && spec.replicas);
  return Array.from({ length: set?.spec.replicas ?? 0 }, (_, index) => ({
    namespace: 'shop',
    job: `shop/${monitor?.metadata.name}`,
    pod: `stockbridge-${index}`,
    container: 'stockbridge',
    instance: `10.0.0.${index + 1}:9090`,
  }));
}

const inOperator = (): Rules => ({
  groups: manifests('kubernetes/monitoring.yaml').find(({ kind }) => kind === 'PrometheusRule')?.spec.groups ?? [],
});
const DEPLOYMENTS = {
  'config/deploy/compose': { rules: RULES, daemons: scrapedBy('prometheus/prometheus.yml') },
  'config/deploy/several/compose.yaml': { rules: RULES, daemons: scrapedBy('several/prometheus.yml') },
  'config/deploy/kubernetes/one': { rules: inOperator(), daemons: podsOf('kubernetes/one/daemon.yaml') },
  'config/deploy/kubernetes/several': { rules: inOperator(), daemons: podsOf('kubernetes/several/daemon.yaml') },
};

/** The alerts that fire in the end: nothing but these, each once. */
const firing = (expr: string, alerts: readonly string[]) => ({
  expr,
  eval_time: '110m',
  exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
});

/** One case of `promtool test rules`. The watchdog fires in every case. */
function caseOf(daemons: readonly Labels[], samples: Samples, alerts: readonly string[]) {
  return {
    interval: '1m',
    input_series: daemons.flatMap((labels, daemon) =>
      Object.entries(samples).flatMap(([series, values]) => {
        const text = typeof values === 'string' ? values : values(daemon);
        const added = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
        const [name, own] = /^(\w+)(?:\{(.*)\})?$/.exec(series)?.slice(1) ?? [];
        return text === '' ? [] : [{ series: `${name}{${[own ?? [], ...added].flat().join(',')}}`, values: text }];
      }),
    ),
    promql_expr_test: [
      firing('count by (alertname) (ALERTS{alertstate="firing"})', [...alerts, 'StockbridgeWatchdog'].toSorted()),
    ],
  };
}

const dies = (then: string) => (daemon: number) => (daemon === 0 ? '1x5 stale' : then);

/** The first daemon dies, and its series with it. Where there are others, the second takes the account. */
function deadDaemon(daemons: readonly Labels[]) {
  const all = Object.entries(HEALTHY).map(([series, values]) => [
    series,
    (daemon: number) => dies(typeof values === 'string' ? values : values(daemon))(daemon),
  ]);
  return caseOf(
    daemons,
    {
      ...(Object.fromEntries(all) as Samples),
      up: (daemon) => (daemon === 0 ? '1x5 0x114' : '1x120'),
      'stockbridge_account_worked{account="main"}': (daemon) => ['1x5 stale', '0x6 1x113'][daemon] ?? '0x120',
    },
    [daemons.length === 1 ? 'StockbridgeGone' : 'StockbridgeDaemonDown'],
  );
}

describe('the alert rules', () => {
  test('each alert rule has a failure that makes it fire, and says what to do', () => {
    const own = ['StockbridgeWatchdog', 'StockbridgeGone', 'StockbridgeDaemonDown'];
    expect(rules.map(({ alert: name }) => name).toSorted()).toEqual([...own, ...Object.keys(HARMS)].toSorted());
    for (const { annotations } of rules) expect(annotations).toMatchObject({ summary: /./, mend: /./ });
  });

  test('the alert rules are the same for the Prometheus Operator', async () => {
    await expect(ofOperator()).toMatchFileSnapshot(join(FOLDER, 'kubernetes/monitoring.yaml'));
  });

  needing('promtool').describe('fire once for each harm, and else sleep, says promtool,', () => {
    test.each(Object.entries(DEPLOYMENTS))(
      '%s loads and labels the alert rules',
      (_name, { rules: loaded, daemons }) => {
        expect(daemons.length).toBeGreaterThan(0);
        const tests = [
          caseOf(daemons, HEALTHY, []),
          caseOf(daemons, { up: '0x120' }, ['StockbridgeGone']),
          caseOf([], {}, ['StockbridgeGone']),
          deadDaemon(daemons),
          ...Object.entries(HARMS).flatMap(([name, [harm, harmless]]) => [
            caseOf(daemons, { ...HEALTHY, ...harm }, [name]),
            caseOf(daemons, { ...HEALTHY, ...harmless }, []),
          ]),
        ];
        const path = folderOf({ 'alerts.yml': stringify(loaded) });
        writeFileSync(path('tests.yml'), stringify({ rule_files: ['alerts.yml'], evaluation_interval: '1m', tests }));
        const { status, stdout, stderr } = spawnSync(programOf('promtool'), ['test', 'rules', path('tests.yml')], {
          encoding: 'utf8',
          cwd: dirname(path('tests.yml')),
        });
        expect(status, stdout + stderr).toBe(0);
      },
    );
  });

  test('the alert rules and the board name existing metrics and codes', async () => {
    const metrics = createMetrics();
    measureDisk(metrics, FOLDER);
    const known = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
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

  test('the alert rule for all other codes excludes exactly the codes that have a rule of their own', () => {
    const { expr = '' } = rules.find(({ alert: name }) => name === 'StockbridgeNeedsSomebody') ?? {};
    const left = new RegExp(`^(?:${/code!~"([^"]+)"/.exec(expr)?.[1]})$`);
    const own = ['oversold', 'webhooks-silent', ...PLAN_CODES, ...Object.keys({ ...FAILURE_CODES, ...DOUBT_CODES })];
    const concerns = (code: string) => CODES[code as Code].turn !== 'nobody';
    expect(
      Object.keys(CODES)
        .filter((code) => concerns(code) && left.test(code))
        .toSorted(),
    ).toEqual(own.filter(concerns).toSorted());
  });
});

const matchers = z.array(z.string().regex(/^\w+ (=|=~) "[^"]+"$/)).min(1);
const duration = z.string().regex(/^\d+[smhd]$/);
const route = z.strictObject({
  matchers,
  receiver: z.string(),
  group_wait: duration.optional(),
  group_interval: duration.optional(),
  repeat_interval: duration,
});
const alertmanager = z.strictObject({
  route: route.omit({ matchers: true }).extend({ group_by: z.array(z.string()), routes: z.array(route) }),
  inhibit_rules: z.array(
    z.strictObject({ source_matchers: matchers, target_matchers: matchers, equal: z.array(z.string()).optional() }),
  ),
  receivers: z.array(
    z.strictObject({
      name: z.string(),
      webhook_configs: z.array(z.strictObject({ url_file: z.string(), send_resolved: z.boolean().optional() })).min(1),
    }),
  ),
});

describe('the configuration of Alertmanager', () => {
  const {
    route: root,
    inhibit_rules: inhibits,
    receivers,
  } = alertmanager.parse(parseYaml(read('prometheus/alertmanager.yml')));

  test('the configuration of Alertmanager names existing receivers, alerts and secrets', () => {
    const known = receivers.map(({ name }) => name);
    for (const { receiver } of [root, ...root.routes]) expect(known).toContain(receiver);
    const matched = [
      ...root.routes.flatMap((one) => one.matchers),
      ...inhibits.flatMap(({ source_matchers: source, target_matchers: target }) => [...source, ...target]),
    ].map((text) => /^(\w+) \S+ "(.*)"$/.exec(text)?.slice(1) ?? []);
    const there = (label: string, value: string) =>
      ({
        alertname: rules.some(({ alert: name }) => name === value),
        severity: ['page', 'ticket'].includes(value),
        code: Object.hasOwn(CODES, value),
      })[label];
    const named = matched.flatMap(([label = '', values = '']) =>
      values.split('|').map((value) => [label, value] as const),
    );
    expect(named.filter(([label, value]) => !there(label, value))).toEqual([]);
    const { secrets } = parseYaml(read('compose/compose.yaml')) as { secrets: object };
    const files = receivers.flatMap(({ webhook_configs: of }) => of.map(({ url_file: file }) => file));
    for (const file of files) expect(Object.keys(secrets)).toContain(file.replace('/run/secrets/', ''));
  });
});

needing('promtool').test.each(['prometheus/prometheus.yml', 'several/prometheus.yml'])(
  'promtool accepts %s as a configuration of Prometheus',
  (file) => {
    const args = ['check', 'config', '--syntax-only', join(FOLDER, file)];
    const { status, stderr } = spawnSync(programOf('promtool'), args, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  },
);
