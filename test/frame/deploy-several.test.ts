import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf } from '../config/folder.ts';
import { endServer, startServer } from '../support/redis.ts';
import { freePort } from '../support/redis-servers.ts';
import { until } from '../support/stage.ts';

/** The examples of several daemons: held against what they name, and their scripts run. */
const FOLDER = join(import.meta.dirname, '../../config/deploy/several');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const dockerfile = readFileSync(join(FOLDER, '../../../Dockerfile'), 'utf8');
const EXPOSED = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
const hasSentinel = spawnSync('which', ['redis-sentinel']).status === 0;
const named = hasSentinel ? '' : ' (there is no redis-sentinel here: apt-get install redis-sentinel)';

const ACCOUNT = `
marketplace:
  base_url: https://marketplace.example
  auth: { scheme: app, key: a-key }
  seller_id: 1
erp: { type: http, url: "https://erp.example", token: a-token }
inventory: { strategy: b }
`;

/** The shipped configuration, with an account and secrets. */
function loadShipped() {
  const path = folderOf({
    'stockbridge.yaml': '',
    'postgres-url': 'postgres://stockbridge:a-password@postgres:5432/stockbridge\n',
    'operator-token': 'an-operator-token\n',
  });
  mkdirSync(path('accounts'));
  writeFileSync(path('accounts/main.yaml'), ACCOUNT);
  const yaml = read('stockbridge.yaml').replaceAll('/run/secrets/', `${path('')}/`.replace('//', '/'));
  writeFileSync(path('stockbridge.yaml'), yaml);
  return loadConfig(path('stockbridge.yaml'), {}).config;
}

interface Service {
  readonly command?: readonly string[];
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
}

const compose = parseYaml(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly secrets: object;
};

test('compose runs three daemons with names and folders of their own, and no port for everybody', () => {
  const { services, volumes, secrets } = compose;
  const daemons = Object.values(services).filter(({ image }) => image === 'stockbridge');
  expect(daemons).toHaveLength(3);
  expect(new Set(daemons.map(({ command = [] }) => command.join(' '))).size).toBe(3);
  for (const { ports = [] } of daemons) expect(ports.map((port) => port.split(':').at(-1))).toEqual(EXPOSED);
  const mounts = Object.values(services).flatMap(({ volumes: own = [] }) =>
    own.map((mount) => mount.split(':')[0] ?? ''),
  );
  const kept = mounts.filter((from) => !from.startsWith('.'));
  expect(kept.toSorted()).toEqual(Object.keys(volumes).toSorted());
  const ports = Object.values(services).flatMap(({ ports: own = [] }) => own);
  expect(new Set(ports).size).toBe(ports.length);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  for (const secret of Object.values(services).flatMap(({ secrets: own = [] }) => own))
    expect(Object.keys(secrets)).toContain(secret);
});

test('the configuration beside it is one, and names the services that there are', () => {
  const { state } = loadShipped();
  expect(state.postgres).toContain('@postgres:');
  expect(state.redis?.kind).toBe('sentinels');
  const sentinels = state.redis?.kind === 'sentinels' ? state.redis.sentinels : [];
  const services = Object.keys(compose.services);
  expect(sentinels.map((url) => new URL(url).hostname)).toEqual(services.filter((name) => name.startsWith('sentinel')));
  for (const [name, { command = [] }] of Object.entries(compose.services)) {
    if (command[0] !== 'sh') continue;
    const [, script = '', own, ...others] = command;
    expect(compose.services[name]?.volumes?.some((mount) => mount.includes(`:${script}:`))).toBe(true);
    expect(own).toBe(name);
    for (const other of others) expect(services).toContain(other);
  }
  // Sentinels and daemons call the primary by one name.
  const primary = state.redis === null ? '' : new URL(state.redis.url).hostname;
  expect(read('sentinel.sh')).toContain(`sentinel monitor ${primary} `);
  expect(read('redis.sh')).toContain(`get-master-addr-by-name ${primary} `);
});

interface Mounted {
  readonly name: string;
}
interface Kubernetes {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: { readonly rollingUpdate: object };
    readonly ports?: readonly { readonly targetPort?: string }[];
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly command?: readonly string[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly volumeMounts: readonly Mounted[];
        }[];
        readonly volumes: readonly Mounted[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: Mounted }[];
  };
}

test('Kubernetes runs three daemons, of which a new one works before an old one ends, and mounts what there is', () => {
  const all = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as Kubernetes);
  const of = (kind: string, name: string) => all.find((one) => one.kind === kind && one.metadata.name === name)?.spec;
  const daemons = of('Deployment', 'stockbridge');
  expect(daemons).toMatchObject({ replicas: 3, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  const [daemon] = daemons?.template?.spec.containers ?? [];
  expect(daemon?.ports.map(({ containerPort }) => String(containerPort))).toEqual(EXPOSED);
  expect(of('Service', 'stockbridge')?.ports?.map(({ targetPort }) => targetPort)).toEqual(
    daemon?.ports.map(({ name }) => name),
  );
  for (const { spec } of all) {
    if (spec.template === undefined) continue;
    const { containers, volumes } = spec.template.spec;
    const given = [...volumes, ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)];
    const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts);
    expect(mounted.map(({ name }) => name).toSorted()).toEqual(given.map(({ name }) => name).toSorted());
  }
  for (const set of ['redis', 'sentinel']) {
    const [container] = of('StatefulSet', set)?.template?.spec.containers ?? [];
    const hosts = container?.command?.at(-1)?.match(/[a-z]+-\d\.[a-z]+/g) ?? [];
    for (const host of hosts) {
      const [, set_, number, service = ''] = /^([a-z]+)-(\d)\.([a-z]+)$/.exec(host) ?? [];
      expect(set_).toBe(service);
      expect(Number(number)).toBeLessThan(of('StatefulSet', service)?.replicas ?? 0);
      expect(of('Service', service)).toBeDefined();
    }
  }
});

test.skipIf(!hasSentinel)(
  `the scripts start a primary, a sentinel that watches it, and a replica that asks the sentinel${named}`,
  async () => {
    const [first, second, sentinel] = [await freePort(), await freePort(), await freePort()];
    const start = (script: string, port: number, ...names: string[]): Redis => {
      // Here all of them share a machine: each has a port of its own.
      const text = read(script).replaceAll('--port 6379', `--port ${port}`).replaceAll(' 6379', ` ${first}`);
      const path = folderOf({ [script]: text });
      mkdirSync(path('data'));
      const env = [`DATA=${path('data')}`, `SENTINEL_PORT=${sentinel}`];
      const server = startServer('env', [...env, 'sh', path(script), ...names]);
      const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 100, maxRetriesPerRequest: null });
      client.on('error', () => {});
      onTestFinished(async () => {
        client.disconnect();
        await endServer(server);
      });
      return client;
    };
    const primary = start('redis.sh', first, 'localhost', 'localhost', 'localhost');
    expect(await primary.info('replication')).toContain('role:master');
    const watching = start('sentinel.sh', sentinel, 'localhost', 'localhost');
    await until('it watches', async () =>
      String(await watching.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'stockbridge')).includes(`,${first}`),
    );
    const replica = start('redis.sh', second, 'another', 'another', 'localhost');
    await until('the replica has what the primary has', async () =>
      (await replica.info('replication')).includes('master_link_status:up'),
    );
    expect(await primary.config('GET', 'appendfsync')).toContain('always');
  },
);
