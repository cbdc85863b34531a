import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';

/** The examples of config/deploy: each is checked by its own tool where there is one, and every name in it is checked. */
const FOLDER = join(import.meta.dirname, '../../config/deploy');
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
const dockerfile = readFileSync(join(FOLDER, '../../Dockerfile'), 'utf8');

const UNITS = readdirSync(join(FOLDER, 'systemd'));
const SERVICES = UNITS.filter((name) => name.endsWith('.service'));

needing('systemd').test('systemd accepts the units, and rates them as well confined', () => {
  const path = folderOf({ 'opt/stockbridge': '#!/bin/sh\n' });
  chmodSync(path('opt/stockbridge'), 0o755);
  mkdirSync(path('units'));
  for (const name of UNITS) {
    const unit = read(`systemd/${name}`).replace('/opt/stockbridge/.setup/stockbridge', path('opt/stockbridge'));
    writeFileSync(path(`units/${name}`), unit);
  }
  const systemd = (...args: string[]) => spawnSync(programOf('systemd'), args, { encoding: 'utf8' });
  const verified = systemd('verify', '--man=no', ...UNITS.map((name) => path(`units/${name}`)));
  expect(verified.stderr.split('\n').filter((line) => line.includes('stockbridge'))).toEqual([]);
  for (const name of SERVICES) {
    const { status, stdout, stderr } = systemd('security', '--offline=true', '--threshold=25', path(`units/${name}`));
    expect(status, stdout + stderr).toBe(0);
  }
});

/** The settings of a unit, without its comments. */
const settings = (name: string) =>
  read(`systemd/${name}`)
    .split('\n')
    .filter((line) => /^\w+=/.test(line));

test('a backup is made as the user of the daemon, with no more rights and without its secrets', () => {
  const [daemon, backup] = [settings('stockbridge.service'), settings('stockbridge-backup.service')];
  const of = (unit: string[], isWanted: (line: string) => boolean) =>
    unit.slice(unit.indexOf('DynamicUser=yes')).filter((line) => !line.startsWith('WantedBy') && isWanted(line));
  const isAddress = (line: string) => line.startsWith('RestrictAddressFamilies=');
  expect(of(backup, (line) => !isAddress(line))).toEqual(of(daemon, (line) => !isAddress(line)));
  expect(of(backup, isAddress)).toEqual(['RestrictAddressFamilies=AF_UNIX']);
  // A server that listens on all addresses asks the kernel which those are, by AF_NETLINK.
  expect(of(daemon, isAddress)).toEqual(['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK']);
  expect(backup.filter((line) => line.startsWith('LoadCredential'))).toEqual([]);
  expect(settings('stockbridge-backup.timer').some((line) => line.startsWith('OnCalendar='))).toBe(true);
});

test("systemd waits for the program's readiness, and accepts it though it is not the main process", () => {
  const unit = settings('stockbridge.service');
  for (const line of ['Type=notify', 'NotifyAccess=all', 'TimeoutStartSec=infinity', 'WatchdogSec=60'])
    expect(unit).toContain(line);
});

interface Compose {
  readonly services: Readonly<
    Record<string, { ports?: string[]; volumes?: string[]; secrets?: string[]; read_only?: boolean }>
  >;
  readonly volumes: object;
  readonly secrets: object;
}

test('compose runs the image as it is built: its ports, its folders, read-only, and no public port', () => {
  const { services, volumes, secrets } = parseYaml(read('compose/compose.yaml')) as Compose;
  const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
  const own = services['stockbridge'];
  expect(own?.ports?.map((port) => port.split(':').at(-1))).toEqual(exposed);
  expect(own?.read_only).toBe(true);
  const used = new Set(Object.values(services).flatMap(({ secrets: names = [] }) => names));
  expect([...used].toSorted()).toEqual(Object.keys(secrets).toSorted());
  for (const { ports = [], volumes: mounts = [] } of Object.values(services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const mount of mounts) {
      const [from = ''] = mount.split(':');
      if (!from.startsWith('.')) expect(Object.keys(volumes)).toContain(from);
    }
  }
});

test('the guide names every deployment example', () => {
  const guide = readFileSync(join(FOLDER, '../../src/guide/deploying.md'), 'utf8');
  for (const folder of readdirSync(FOLDER)) expect(guide).toContain(`config/deploy/${folder}`);
});
