import { stringify } from 'yaml';
import { z } from 'zod';
import type { StrategyName } from '../domain/strategy.ts';
import { dateTime } from '../settings/scalars.ts';
import { UsageError } from './faults.ts';

/** A kind of ERP, with the answers that its configuration needs. */
interface Kind {
  readonly about: string;
  readonly where: string;
  /** The usual place of its token, key or password; null: it has none, or its description names the place. */
  readonly secret: string | null;
  readonly settings: readonly string[];
  /** The page of the guide about the description that a person writes of it; null: it needs none. */
  readonly described: string | null;
}

const ADDRESS = 'Where is it?';
const NOT_DESCRIBED = { where: ADDRESS, described: null } as const;

export const INIT_ERPS = {
  http: { ...NOT_DESCRIBED, about: 'it speaks the ERP HTTP contract', secret: 'env:ERP_TOKEN', settings: [] },
  odoo: {
    ...NOT_DESCRIBED,
    about: 'Odoo 19',
    secret: 'env:ODOO_KEY',
    settings: ['database', 'currency', 'customer'],
  },
  tryton: {
    ...NOT_DESCRIBED,
    about: 'Tryton 6.0',
    secret: 'env:TRYTON_PASSWORD',
    settings: ['database', 'user'],
  },
  sql: {
    about: 'a PostgreSQL, MariaDB or MySQL database',
    where: 'Where is it: postgres://HOST:PORT/DATABASE, mariadb://... or mysql://...?',
    secret: 'env:ERP_PASSWORD',
    settings: ['user', 'zone'],
    described: 'sql',
  },
  files: {
    about: 'files in a folder of this machine',
    where: 'In which folder?',
    secret: null,
    settings: ['zone'],
    described: 'files',
  },
  sftp: {
    about: 'files over SFTP',
    where: 'Where are they: sftp://USER@HOST:PORT/FOLDER?',
    secret: 'file:/run/secrets/sftp-key',
    settings: ['host_key', 'zone'],
    described: 'files',
  },
  rest: { about: 'any other with an interface in JSON', where: ADDRESS, secret: null, settings: [], described: 'rest' },
} as const satisfies Record<string, Kind>;
export type InitErp = keyof typeof INIT_ERPS;

/** Flows that are off unless they are asked for, with the sections that switch them on. */
const SWITCHED_ON = {
  'order-out': (today: string) => ({ orders: { from_erp: { since: today } } }),
  customers: () => ({ customers: { to_marketplace: true, to_erp: true } }),
  payments: () => ({ payments: { to_marketplace: true } }),
} as const;
export type InitFlow = keyof typeof SWITCHED_ON;
export const INIT_FLOWS = Object.keys(SWITCHED_ON) as InitFlow[];

type Sections = Readonly<Record<string, object>> & { readonly orders?: object };

/**
 * The instant from which orders count.
 * @param text `now`, a day, which begins at midnight in UTC, or a date-time with its zone
 * @throws UsageError for anything else
 */
export function ordersFromNamed(text: string, now: Date): string {
  if (text === 'now') return `${now.toISOString().slice(0, '2026-01-31T00:00:00'.length)}Z`;
  if (z.iso.date().safeParse(text).success) return `${text}T00:00:00Z`;
  if (dateTime().safeParse(text).success) return text;
  throw new UsageError(`"${text}" is no instant: now, a day as 2026-11-01, or 2026-11-01T08:00:00-08:00`);
}

/** Earlier names of these flows, which are still understood. */
const EARLIER_NAMES: Readonly<Record<string, InitFlow>> = { 'erp-orders': 'order-out' };

/** @throws UsageError for a name of no such flow */
export function initFlowsNamed(names: readonly string[]): InitFlow[] {
  const asked = new Set(names.map((name) => EARLIER_NAMES[name] ?? name));
  const flows = INIT_FLOWS.filter((flow) => asked.has(flow));
  if (flows.length < asked.size) throw new UsageError(`flows are ${INIT_FLOWS.join(', ')}`);
  return flows;
}

export interface InitMarketplace {
  readonly url: string;
  /** The place of the key, as `env:NAME` or `file:PATH`. Never the key itself. */
  readonly key: string;
  readonly seller: string;
}

export interface InitErpAnswers {
  readonly erp: InitErp;
  readonly erpUrl: string;
  /** The place of its token, key or password; null: it has none. */
  readonly erpSecret: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The description of its lists and writes that a person wrote: keys of the section `erp`. The other answers win over them. */
  readonly description: Readonly<Record<string, unknown>>;
}

export interface InitRest {
  /** Folder of the database. */
  readonly data: string;
  readonly strategy: StrategyName;
  readonly currency: string;
  /** The instant from which orders count; null: not known yet. */
  readonly ordersFrom: string | null;
  readonly flows: readonly InitFlow[];
}

/** Stands for the ERP while only the marketplace is tried. It is never called. */
const NO_ERP = { type: 'http', url: 'http://127.0.0.1:9', token: 'not-asked-for-yet' };

/**
 * The text of a configuration file. It names the places of secrets, and holds none.
 * @param erp null: not known yet
 * @param today orders that are made in the ERP from this day on are entered on the marketplace: `2026-01-31`
 */
export function initText(
  marketplace: InitMarketplace,
  erp: InitErpAnswers | null,
  rest: InitRest,
  today: string,
): string {
  const { data, strategy, currency, ordersFrom, flows } = rest;
  const { orders, ...switchedOn } = Object.assign({}, ...flows.map((flow) => SWITCHED_ON[flow](today))) as Sections;
  const from = ordersFrom === null ? {} : { export_from: ordersFrom };
  const account = {
    marketplace: {
      base_url: marketplace.url,
      auth: { scheme: 'app', key: reference(marketplace.key) },
      seller_id: /^\d{1,15}$/.test(marketplace.seller) ? Number(marketplace.seller) : marketplace.seller,
    },
    currency,
    erp: erp === null ? NO_ERP : erpSection(erp),
    inventory: { strategy },
    orders: { ...from, ...orders },
    ...switchedOn,
  };
  return `# Made by "stockbridge init". Secrets are named here, and stand in the environment or in files.
${stringify({ version: 1, state: { dir: data }, accounts: { main: account } }, { lineWidth: 0 })}`;
}

function erpSection({ erp, erpUrl: url, erpSecret, settings, description }: InitErpAnswers): object {
  const secret = erpSecret === null ? null : reference(erpSecret);
  switch (erp) {
    case 'http':
      return { type: 'http', url, token: secret };
    case 'odoo':
      return { type: 'rest', extends: 'odoo', url, auth: { token: secret }, settings };
    case 'tryton':
      return { type: 'tryton', url, ...settings, password: secret };
    case 'sql':
      return { ...description, type: 'sql', url, ...settings, password: secret };
    case 'files':
      return { ...description, type: 'files', dir: url, ...settings };
    case 'sftp': {
      const { host_key: hostKey, ...others } = settings;
      return { ...description, type: 'files', sftp: { ...sftpPlace(url, erpSecret), host_key: hostKey }, ...others };
    }
    case 'rest':
      return { ...description, type: 'rest', url };
  }
}

/** A private key stands in a file, a password in the environment. */
function sftpPlace(written: string, secret: string | null): object {
  const url = URL.parse(written);
  const isSftp = url !== null && url.protocol === 'sftp:' && url.username !== '' && url.password === '';
  if (!isSftp || secret === null) throw new UsageError(`"${written}" is no place: sftp://USER@HOST:PORT/FOLDER`);
  const user = decodeURIComponent(url.username);
  const dir = decodeURIComponent(url.pathname) || '.';
  const login = { [secret.startsWith('file:') ? 'key' : 'password']: reference(secret) };
  return { host: url.hostname, ...(url.port === '' ? {} : { port: Number(url.port) }), user, ...login, dir };
}

/** The two ways to name the place of a secret. */
export const REFERENCE = /^(env:[A-Za-z_]\w*|file:.+)$/;

function reference(place: string): string {
  return `\${${place}}`;
}
