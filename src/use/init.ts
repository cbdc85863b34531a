import { stringify } from 'yaml';
import { z } from 'zod';
import type { StrategyName } from '../domain/strategy.ts';
import { OFFERS } from '../erp/connectors.ts';
import { dateTime } from '../settings/scalars.ts';
import { withReferences } from './described.ts';
import { UsageError } from './faults.ts';

export { OFFERS as INIT_ERPS } from '../erp/connectors.ts';

/** Flows that are off by default, with the sections that switch them on. */
const SWITCHED_ON = {
  'order-out': (today: string) => ({ orders: { from_erp: { since: today } } }),
  customers: () => ({ customers: { to_marketplace: true, to_erp: true } }),
  payments: () => ({ payments: { to_marketplace: true } }),
} as const;
export type InitFlow = keyof typeof SWITCHED_ON;
export const INIT_FLOWS = Object.keys(SWITCHED_ON) as InitFlow[];

type Sections = Readonly<Record<string, object>> & { readonly orders?: object };

const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/;

/**
 * From when orders count.
 * @param text `now`, a day (from midnight UTC), or a date-time with its zone
 * @throws UsageError for anything else
 */
export function ordersFromNamed(text: string, now: Date): string {
  if (text === 'now') return `${now.toISOString().slice(0, '2026-01-31T00:00:00'.length)}Z`;
  if (z.iso.date().safeParse(text).success) return `${text}T00:00:00Z`;
  if (dateTime().safeParse(text).success) return text;
  const [, minutes, seconds = ':00'] = WITHOUT_ZONE.exec(text) ?? [];
  if (minutes !== undefined)
    throw new UsageError(`"${text}" has no zone: write ${minutes}${seconds}Z for UTC, or ${minutes}${seconds}-08:00`);
  throw new UsageError(`"${text}" is no instant: now, a day as 2026-11-01, or 2026-11-01T08:00:00-08:00`);
}

/** Former names of these flows, still accepted. */
const EARLIER_NAMES: Readonly<Record<string, InitFlow>> = { 'erp-orders': 'order-out' };

/** @throws UsageError for an unknown flow */
export function initFlowsNamed(names: readonly string[]): InitFlow[] {
  const asked = new Set(names.map((name) => EARLIER_NAMES[name] ?? name));
  const flows = INIT_FLOWS.filter((flow) => asked.has(flow));
  if (flows.length < asked.size) throw new UsageError(`flows are ${INIT_FLOWS.join(', ')}`);
  return flows;
}

export interface InitMarketplace {
  readonly url: string;
  /** Where the key is stored, as `env:NAME` or `file:PATH`. Never the key itself. */
  readonly key: string;
  readonly seller: string;
}

export interface InitErpAnswers {
  /** A name of `OFFERS`. */
  readonly erp: string;
  readonly erpUrl: string;
  /** Where its token, key or password is stored; null: none. */
  readonly erpSecret: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** Keys of `erp` from a person's description. Other answers win. */
  readonly description: Readonly<Record<string, unknown>>;
  /** Other sections of a whole configuration. The answers win. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** The ERP of a whole configuration, as `erp draft` writes it. */
export interface InitErpWhole {
  /** The section `erp` with its comments. */
  readonly node: unknown;
  /** Other sections. The answers win. */
  readonly beside: Readonly<Record<string, unknown>>;
}

export interface InitRest {
  readonly data: string;
  readonly user: string;
  readonly strategy: StrategyName;
  readonly currency: string;
  /** From when orders count; null: not known yet. */
  readonly ordersFrom: string | null;
  readonly flows: readonly InitFlow[];
}

/** A placeholder while only the marketplace is tested. It is never called. */
const NO_ERP = { type: 'http', url: 'http://127.0.0.1:9', token: 'not-asked-for-yet' };

/**
 * The configuration file, with the places of secrets instead of secrets.
 * @param erp null: not known yet
 * @param today from when orders made in the ERP are entered on the marketplace: `2026-01-31`
 */
export function initText(
  marketplace: InitMarketplace,
  erp: InitErpAnswers | InitErpWhole | null,
  rest: InitRest,
  today: string,
): string {
  const { data, user, strategy, currency, ordersFrom, flows } = rest;
  const { orders, ...switchedOn } = Object.assign({}, ...flows.map((flow) => SWITCHED_ON[flow](today))) as Sections;
  const from = ordersFrom === null ? {} : { export_from: ordersFrom };
  const beside: Readonly<Record<string, unknown>> = erp?.beside ?? {};
  const account = {
    ...beside,
    marketplace: {
      ...besides(beside, 'marketplace'),
      base_url: marketplace.url,
      auth: { scheme: 'app', key: reference(marketplace.key) },
      seller_id: /^\d{1,15}$/.test(marketplace.seller) ? Number(marketplace.seller) : marketplace.seller,
    },
    currency,
    erp: erp === null ? NO_ERP : 'node' in erp ? erp.node : erpSection(erp),
    inventory: { ...besides(beside, 'inventory'), strategy },
    orders: { ...besides(beside, 'orders'), ...from, ...orders },
    ...switchedOn,
  };
  const admin = { users: [{ name: user, role: 'operator' }] };
  const text = stringify({ version: 1, state: { dir: data }, admin, accounts: { main: account } }, { lineWidth: 0 });
  return `# Made by "stockbridge init". Secrets are named here, and stand in the environment or in files.
${withReferences(text)}`;
}

function besides(beside: Readonly<Record<string, unknown>>, name: string): object {
  const section = beside[name];
  return typeof section === 'object' && section !== null ? section : {};
}

/** @throws UsageError for invalid answers */
function erpSection({ erp, erpUrl: url, erpSecret, settings, description }: InitErpAnswers): object {
  const offer = OFFERS[erp];
  if (offer === undefined) throw new UsageError(`"${erp}" is no kind of ERP: ${Object.keys(OFFERS).join(', ')}`);
  const secret = erpSecret === null ? null : reference(erpSecret);
  const section = offer.section({ url, secret, settings, description });
  if ('problem' in section) throw new UsageError(String(section.problem));
  return section;
}

/** The two forms of a secret's place. */
export const REFERENCE = /^(env:[A-Za-z_]\w*|file:.+)$/;

function reference(place: string): string {
  return `\${${place}}`;
}
