import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import type { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf, LEAST } from '../config/folder.ts';
import { manifest } from '../support/manifests.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';

/** The overlays for Kubernetes: kubectl makes the resources of each, in which every name is checked. */
const FOLDER = join(import.meta.dirname, '../../config/deploy');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const EXPOSED = /^EXPOSE (.*)$/m.exec(read('../../Dockerfile'))?.[1]?.split(' ') ?? [];

test('each file in the folder of a kustomization is named in it, and each named file exists', () => {
  const all = globSync('{kubernetes,several}/**/kustomization.yaml', { cwd: FOLDER });
  expect(all).toHaveLength(4);
  for (const file of all) {
    const {
      resources = [],
      patches = [],
      configMapGenerator = [],
    } = parseYaml(read(file)) as {
      resources?: string[];
      patches?: { path: string }[];
      configMapGenerator?: { files: string[] }[];
    };
    const named = [
      ...resources,
      ...patches.map(({ path }) => path),
      ...configMapGenerator.flatMap(({ files }) => files),
    ];
    const at = (name: string) => join(FOLDER, dirname(file), name);
    for (const name of named) expect(globSync([at(name), at(`${name}/kustomization.yaml`)]), name).not.toEqual([]);
    const beside = globSync(at(file.startsWith('kubernetes') ? '*.yaml' : '*.sh')).map((path) => basename(path));
    expect(named).toEqual(expect.arrayContaining(beside.filter((name) => name !== 'kustomization.yaml')));
  }
});

type Resource = z.infer<typeof manifest>;
type Of<Wanted extends Resource['kind']> = Extract<Resource, { kind: Wanted }>;

/** The resources that kubectl makes of an overlay. */
function overlay(name: string) {
  const { stdout, stderr } = spawnSync(programOf('kubectl'), ['kustomize', join(FOLDER, 'kubernetes', name)], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const all = parseAllDocuments(stdout).map((document) => manifest.parse(document.toJS()));
  function of<Wanted extends Resource['kind']>(kind: Wanted, wanted: string): Of<Wanted> {
    const found = all.find((one): one is Of<Wanted> => one.kind === kind && one.metadata.name === wanted);
    if (found === undefined) throw new Error(`there is no ${kind} ${wanted}`);
    return found;
  }
  const sets = all.flatMap((one) => (one.kind === 'Deployment' || one.kind === 'StatefulSet' ? [one] : []));
  return { all, of, sets, daemons: of('Deployment', 'stockbridge').spec };
}

const OVERLAYS = ['one', 'several'];

needing('kubectl').test.each(OVERLAYS)('%s: the daemon has the ports of the image, and a service for each', (name) => {
  const { of, daemons } = overlay(name);
  const { terminationGracePeriodSeconds: grace = 0, containers } = daemons.template.spec;
  // Work in progress has ended by then.
  const { shutdownTimeoutMs } = loadConfig(folderOf({ 'c.yaml': LEAST })('c.yaml'), {}).config;
  expect(grace * 1_000).toBeGreaterThan(shutdownTimeoutMs);
  const [{ startupProbe, livenessProbe, readinessProbe, ports = [] } = {}] = containers;
  for (const probe of [startupProbe, livenessProbe, readinessProbe])
    expect(probe?.httpGet).toEqual({ path: '/livez', port: 'admin' });
  expect(ports.map(({ containerPort }) => String(containerPort))).toEqual(EXPOSED);
  // An Ingress for the marketplace reaches no admin port.
  const served = ['stockbridge', 'stockbridge-admin'].map((service) => of('Service', service).spec.ports);
  expect(served.map((one) => one.map(({ targetPort }) => targetPort))).toEqual(ports.map((port) => [port.name]));
});

needing('kubectl').test.each(OVERLAYS)(
  '%s: pods are found by their labels, and mount existing volumes; secrets are files',
  (name) => {
    const { all, of, sets, daemons } = overlay(name);
    const made = all.flatMap(({ kind, metadata }) => (/^(ConfigMap|Persist)/.test(kind) ? [metadata.name] : []));
    // The person who deploys makes the rest by the commands at the head of the overlay.
    const told = [
      ...read(`kubernetes/${name}/kustomization.yaml`).matchAll(/create (?:secret generic|configmap) (\S+)/g),
    ];
    const there = [...made, ...told.map(([, one]) => one)];
    for (const { kind, spec, metadata } of sets) {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      expect(of('Service', metadata.name).spec.selector).toEqual(spec.selector.matchLabels);
      const { volumes, containers } = spec.template.spec;
      const claims = kind === 'StatefulSet' ? spec.volumeClaimTemplates.map((claim) => claim.metadata) : [];
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name));
      expect(mounted.toSorted()).toEqual([...volumes, ...claims].map((volume) => volume.name).toSorted());
      for (const { configMap, secret, persistentVolumeClaim: claim } of volumes)
        for (const from of [configMap?.name, secret?.secretName, claim?.claimName])
          if (from !== undefined) expect(there).toContain(from);
    }
    const [{ volumeMounts } = { volumeMounts: [] }] = daemons.template.spec.containers;
    const secrets = volumeMounts.find((mount) => mount.name === 'secrets');
    expect(secrets).toMatchObject({ mountPath: '/run/secrets/stockbridge', readOnly: true });
    expect(read(`kubernetes/${name}/kustomization.yaml`)).toContain(`\${file:${secrets?.mountPath}/`);
  },
);

needing('kubectl').test.each(OVERLAYS)(
  '%s: one pod of a kind at a time is evicted, and each is reachable only for those that need it',
  (name) => {
    const { of, sets, all } = overlay(name);
    for (const { spec, metadata } of sets)
      expect(of('PodDisruptionBudget', metadata.name).spec).toEqual({ maxUnavailable: 1, selector: spec.selector });
    const rules = all.flatMap((one) => (one.kind === 'NetworkPolicy' ? one.spec.ingress : []));
    const open = rules.filter(({ from }) => from === undefined).flatMap(({ ports }) => ports);
    expect(open).toEqual([{ port: 'webhooks' }]);
    const limited = rules.flatMap(({ ports }) => ports.map(({ port }) => port));
    const served = sets.flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ ports = [] }) => ports));
    expect(limited.toSorted()).toEqual(served.map((port) => port.name).toSorted());
    expect(of('NetworkPolicy', 'stockbridge').spec.podSelector).toEqual({ matchLabels: { app: 'stockbridge' } });
  },
);

needing('kubectl').test(
  'one daemon in Kubernetes: the old one ends before the new one begins, and both have the same volume',
  () => {
    const { daemons, of } = overlay('one');
    expect([daemons.replicas, daemons.strategy]).toEqual([1, { type: 'Recreate' }]);
    const { containers, volumes } = daemons.template.spec;
    const data = volumes.find((volume) => volume.name === 'data');
    expect(of('PersistentVolumeClaim', data?.persistentVolumeClaim?.claimName ?? '').spec.accessModes).toEqual([
      'ReadWriteOncePod',
    ]);
    expect(containers[0]?.volumeMounts.find((mount) => mount.name === 'data')?.mountPath).toBe('/data');
  },
);

needing('kubectl').test(
  'several daemons in Kubernetes: a new one works before an old one ends, and pods are spread over the machines',
  () => {
    const { daemons, sets } = overlay('several');
    expect(daemons.replicas).toBe(3);
    expect(daemons.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    for (const { spec } of sets) {
      const [spread] = spec.template.spec.topologySpreadConstraints ?? [];
      expect(spread).toMatchObject({ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', labelSelector: spec.selector });
    }
  },
);

needing('kubectl').test.each(['redis', 'sentinel'])(
  'several daemons in Kubernetes: each name in the command of %s is that of a pod',
  (set) => {
    const { of, sets } = overlay('several');
    const [{ command = [] } = {}] = of('StatefulSet', set).spec.template.spec.containers;
    const hosts = [...(command.at(-1) ?? '').matchAll(/([a-z]+)-(\d)\.([a-z]+)/g)];
    expect(hosts.length).toBeGreaterThan(0);
    for (const [, pod = '', number, service = ''] of hosts) {
      expect(pod).toBe(service);
      expect(of('Service', service).spec.clusterIP).toBe('None');
      expect(Number(number)).toBeLessThan(of('StatefulSet', service).spec.replicas);
    }
    const scripts = sets.flatMap(({ spec }) =>
      spec.template.spec.volumes.flatMap(({ configMap }) => configMap?.name ?? []),
    );
    const name = scripts.find((one) => one.startsWith('stockbridge-redis')) ?? '';
    expect(of('ConfigMap', name).data).toEqual({
      'redis.sh': read('several/redis.sh'),
      'sentinel.sh': read('several/sentinel.sh'),
    });
  },
);

test('several daemons in Kubernetes get every secret that they read, and not the password of the servers', () => {
  const head = read('kubernetes/several/kustomization.yaml');
  const given = (name: string) => new RegExp(`create secret generic ${name} (.*)$`, 'm').exec(head)?.[1];
  expect(given('stockbridge')).not.toContain('servers');
  const keys = (name: string) =>
    [...read(`several/${name}`).matchAll(/run\/secrets\}?\/([a-z-]+)/g)].map(([, key]) => key);
  for (const key of keys('stockbridge.yaml')) expect(given('stockbridge')).toContain(`--from-file=${key}`);
  for (const script of ['redis.sh', 'sentinel.sh']) {
    expect(keys(script)).toHaveLength(2);
    for (const key of keys(script)) expect(given('stockbridge-redis')).toContain(`--from-file=${key}`);
  }
});
