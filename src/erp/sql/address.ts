import type { Dialect } from './tokens.ts';

export interface Address {
  readonly dialect: Dialect;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

const PROTOCOLS: Readonly<Record<string, Pick<Address, 'dialect' | 'port'>>> = {
  'postgres:': { dialect: 'postgres', port: 5432 },
  'postgresql:': { dialect: 'postgres', port: 5432 },
  'mariadb:': { dialect: 'mysql', port: 3306 },
  'mysql:': { dialect: 'mysql', port: 3306 },
};

/** The parts of `postgres://host:5432/database`; null: another text, or one with user, password or query. */
export function addressOf(written: string): Address | null {
  const url = /[?#\s]/.test(written) ? null : URL.parse(written);
  const known = url === null ? undefined : PROTOCOLS[url.protocol];
  if (url === null || known === undefined || url.username !== '' || url.password !== '') return null;
  const [, database] = /^\/([^/]+)$/.exec(url.pathname) ?? [];
  if (url.hostname === '' || database === undefined) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { dialect: known.dialect, host, port: Number(url.port || known.port), database: decodeURIComponent(database) };
}

/** Whether the database is on this machine, so that nothing crosses a network. */
export function isOwnMachine({ host }: Address): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
