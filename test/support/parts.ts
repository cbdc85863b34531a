import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/* The parts of the system that some tests need, and that a machine may lack. A test names its parts with needing.ts. */

export interface Part {
  readonly what: string;
  readonly programs: readonly string[];
  /** Where its programs are looked for before the PATH. */
  readonly folders?: readonly string[];
  readonly files?: readonly string[];
  /** Debian's packages. */
  readonly packages: readonly string[];
  /** The command that installs it, where Debian has no package. */
  readonly command?: string;
  /** Are its programs of use here? */
  readonly works?: (path: string) => boolean;
}

const UTF8 = { encoding: 'utf8' } as const;

const POSTGRES = {
  what: 'PostgreSQL',
  programs: ['postgres', 'initdb', 'createdb', 'pg_isready', 'psql'],
  folders: ['/usr/lib/postgresql/*/bin'],
  packages: ['postgresql'],
} as const satisfies Part;

const PARTS = {
  postgres: POSTGRES,
  mariadb: {
    what: 'MariaDB',
    programs: ['mariadbd', 'mariadb-install-db'],
    folders: ['/usr/sbin'],
    packages: ['mariadb-server'],
  },
  tryton: {
    what: 'Tryton',
    programs: ['trytond', 'trytond-admin', 'python3', ...POSTGRES.programs],
    // No other Python than Debian's sees its packages.
    folders: [...POSTGRES.folders, '/usr/bin'],
    files: ['/usr/lib/python3/dist-packages/proteus/__init__.py'],
    packages: [
      ...POSTGRES.packages,
      'python3-psycopg2',
      'tryton-server',
      'tryton-proteus',
      'tryton-modules-sale',
      'tryton-modules-sale-amendment',
      'tryton-modules-account-invoice-stock',
      'tryton-modules-sale-payment',
    ],
  },
  debian: {
    what: 'Debian, as root',
    programs: ['apt-get', 'dpkg-deb', 'perl'],
    packages: ['apt', 'dpkg', 'perl'],
    works: () => process.getuid?.() === 0,
  },
  chromium: { what: 'Chromium', programs: ['chromium'], packages: ['chromium'] },
  prometheus: { what: 'Prometheus', programs: ['prometheus'], packages: ['prometheus'] },
  promtool: { what: 'promtool', programs: ['promtool'], packages: ['prometheus'] },
  systemd: { what: 'systemd-analyze', programs: ['systemd-analyze'], packages: ['systemd'] },
  sentinel: { what: 'redis-sentinel', programs: ['redis-sentinel'], packages: ['redis-sentinel'] },
  strace: {
    what: 'strace and the right to trace',
    programs: ['strace'],
    packages: ['strace'],
    works: (path) => spawnSync(path, ['-f', '-e', 'trace=none', 'true']).status === 0,
  },
  kubectl: {
    what: 'kubectl 1.21 or later',
    programs: ['kubectl'],
    // Debian's is older.
    packages: [],
    command:
      'curl -Lo /usr/local/bin/kubectl https://dl.k8s.io/release/v1.34.0/bin/linux/amd64/kubectl && chmod +x /usr/local/bin/kubectl',
    works: (path) => /^Kustomize Version: v([4-9]|\d\d)/m.test(spawnSync(path, ['version', '--client'], UTF8).stdout),
  },
  git: { what: 'git', programs: ['git'], packages: ['git'] },
  openssl: { what: 'openssl', programs: ['openssl'], packages: ['openssl'] },
  litestream: {
    what: 'Litestream 0.3.13',
    programs: ['litestream'],
    folders: ['/opt/litestream/node_modules/@flydotio/litestream-linux-x64'],
    packages: [],
    command: 'npm install --no-save --prefix /opt/litestream @flydotio/litestream-linux-x64@1.0.1',
  },
  apiTools: {
    what: 'the tools for APIs (Redocly, Spectral, openapi-typescript)',
    programs: ['redocly', 'spectral', 'openapi-typescript', 'tsc'],
    folders: ['/opt/api-tools/node_modules/.bin'],
    packages: [],
    command:
      'npm install --no-save --prefix /opt/api-tools @redocly/cli@2.77.0 openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @stoplight/spectral-cli@6.15.0',
  },
  zsh: { what: 'zsh', programs: ['zsh'], packages: ['zsh'] },
  fish: { what: 'fish', programs: ['fish'], packages: ['fish'] },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

/** The parts that the present test file has named; null where no test file runs, as in a bench. */
let named: Set<PartName> | null = null;

/** A test file begins. It has named no part. */
export function beginFile(): void {
  named = new Set();
}

/** The test file needs these parts, and may start them. Returns those that are not here. */
export function nameParts(parts: readonly PartName[]): Part[] {
  for (const part of parts) named?.add(part);
  return parts.filter((part) => !isHere(part)).map((part) => PARTS[part]);
}

/** The commands that install these parts, in one line. */
export function installing(parts: readonly Part[]): string {
  const packages = [...new Set(parts.flatMap((part) => part.packages))];
  const debian = packages.length === 0 ? [] : [`apt-get install --no-install-recommends ${packages.join(' ')}`];
  return [...debian, ...new Set(parts.flatMap(({ command }) => command ?? []))].join(' && ');
}

/**
 * The path of a program of a part.
 * @throws Error when the part is not here, and, on every machine, when the test file has not named it
 */
export function programOf(part: PartName, program: string = PARTS[part].programs[0]): string {
  if (named?.has(part) === false) {
    throw new Error(`this test file starts ${program} and does not say so: begin its tests with needing('${part}')`);
  }
  const path = pathOf(PARTS[part], program);
  if (path === null) throw new Error(`there is no ${program} here: ${installing([PARTS[part]])}`);
  return path;
}

const known = new Map<PartName, boolean>();

function isHere(name: PartName): boolean {
  const part: Part = PARTS[name];
  const found = known.get(name) ?? isWhole(part);
  known.set(name, found);
  return found;
}

function isWhole(part: Part): boolean {
  const paths = part.programs.map((program) => pathOf(part, program));
  if (paths.includes(null) || !(part.files ?? []).every((file) => existsSync(file))) return false;
  return part.works?.(paths[0] ?? '') ?? true;
}

function pathOf({ folders = [] }: Part, program: string): string | null {
  const own = folders.flatMap((folder) => globSync(folder).toSorted().toReversed());
  const all = [...own, ...(process.env['PATH'] ?? '').split(delimiter)];
  return all.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}
