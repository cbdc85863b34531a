import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf } from '../config/folder.ts';
import { composeFile } from '../support/manifests.ts';

/** The examples with several daemons: every name in them is checked, and their scripts are run. */
const FOLDER = join(import.meta.dirname, '../../config/deploy/several');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const dockerfile = readFileSync(join(FOLDER, '../../../Dockerfile'), 'utf8');
const EXPOSED = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];

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
    'redis-password': 'a-password-of-redis\n',
  });
  mkdirSync(path('accounts'));
  writeFileSync(path('accounts/main.yaml'), ACCOUNT);
  const yaml = read('stockbridge.yaml').replaceAll('/run/secrets/', `${path('')}/`.replace('//', '/'));
  writeFileSync(path('stockbridge.yaml'), yaml);
  return loadConfig(path('stockbridge.yaml'), {}).config;
}

type Service = Readonly<Record<string, unknown>>;
interface ComposeText {
  readonly services: Readonly<Record<string, Service & { readonly extends?: { file: string; service: string } }>>;
}
const composeText = (name: string) => parseYaml(read(name), { merge: true }) as ComposeText;

/** A service with what it has from another file. Its lists are added to the lists there, as Compose does it. */
function whole({ extends: from, ...own }: ComposeText['services'][string]): Service {
  if (from === undefined) return own;
  const base: Service = composeText(from.file).services[from.service] ?? {};
  const both = (key: string) => [base[key] ?? [], own[key] ?? []].flat();
  return { ...base, ...own, ...Object.fromEntries(['volumes', 'ports', 'secrets'].map((key) => [key, both(key)])) };
}

const written = composeText('compose.yaml');
const services = Object.fromEntries(Object.entries(written.services).map(([name, one]) => [name, whole(one)]));
const compose = composeFile.parse(
  Object.fromEntries(Object.entries({ ...written, services }).filter(([key]) => !key.startsWith('x-'))),
);

test('compose runs three daemons with names and folders of their own, and no public port', () => {
  const { volumes, secrets } = compose;
  const all = Object.values(compose.services);
  const daemons = all.filter(({ image }) => image === 'stockbridge');
  expect(daemons).toHaveLength(3);
  expect(new Set(daemons.map(({ command = [] }) => command.join(' '))).size).toBe(3);
  for (const { ports = [], read_only: isReadOnly, stop_grace_period: grace } of daemons) {
    expect(ports.map((port) => port.split(':').at(-1))).toEqual(EXPOSED);
    expect([isReadOnly, grace]).toEqual([true, '40s']);
  }
  const mounts = all.flatMap(({ volumes: own = [] }) => own.map((mount) => mount.split(':')[0] ?? ''));
  const kept = mounts.filter((from) => !from.startsWith('.'));
  expect(kept.toSorted()).toEqual(Object.keys(volumes).toSorted());
  const ports = all.flatMap(({ ports: own = [] }) => own).map((port) => port.split(':').slice(0, -1).join(':'));
  expect(new Set(ports).size).toBe(ports.length);
  for (const secret of all.flatMap(({ secrets: own = [] }) => own)) expect(Object.keys(secrets)).toContain(secret);
});

test('the configuration of compose is valid, and names existing services', () => {
  const { state } = loadShipped();
  expect(state.postgres).toContain('@postgres:');
  expect(state.redis?.kind).toBe('sentinels');
  const sentinels = state.redis?.kind === 'sentinels' ? state.redis.sentinels : [];
  for (const url of [state.redis?.url ?? '', sentinels[0] ?? ''])
    expect(url).toMatch(/^redis:\/\/stockbridge:a-password-of-redis@/);
  const names = Object.keys(compose.services);
  expect(sentinels.map((url) => new URL(url).hostname)).toEqual(names.filter((name) => name.startsWith('sentinel')));
  for (const [name, { command = [] }] of Object.entries(compose.services)) {
    if (command[0] !== 'sh') continue;
    const [, script = '', own, ...others] = command;
    expect(compose.services[name]?.volumes?.some((mount) => mount.includes(`:${script}:`))).toBe(true);
    expect(own).toBe(name);
    for (const other of others) expect(names).toContain(other);
  }
  // Sentinels and daemons call the primary by one name.
  const primary = state.redis === null ? '' : new URL(state.redis.url).hostname;
  expect(read('sentinel.sh')).toContain(`sentinel monitor ${primary} `);
  expect(read('redis.sh')).toContain(`get-master-addr-by-name ${primary} `);
});

test('the servers of compose have limits, a read-only root, and only the rights of the entrypoint', () => {
  for (const [name, one] of Object.entries(compose.services)) {
    if (!/^(redis|sentinel)-/.test(name)) continue;
    expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], mem_limit: expect.stringMatching(/^\d+m$/) });
    expect(one.cap_add).toEqual(['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETPCAP', 'SETUID']);
    expect(one.security_opt).toEqual(['no-new-privileges:true']);
  }
  const servers = Object.entries(compose.services).filter(([, one]) => one.secrets?.includes('redis-servers-password'));
  expect(servers.map(([name]) => name)).toEqual(
    Object.keys(compose.services).filter((name) => /^(redis|sentinel)-/.test(name)),
  );
});
