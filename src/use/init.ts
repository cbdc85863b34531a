import { stringify } from 'yaml';
import { z } from 'zod';
import type { StrategyName } from '../domain/strategy.ts';
import { OFFERS } from '../erp/connectors.ts';
import { dateTime } from '../settings/scalars.ts';
import { withReferences } from './described.ts';
import { UsageError } from './faults.ts';

/** The kinds of ERP that `init` knows, as their connectors offer them. */
export { OFFERS as INIT_ERPS } from '../erp/connectors.ts';

/** Flows that are off unless they are asked for, with the sections that switch them on. */
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
 * The instant from which orders count.
 * @param text `now`, a day, which begins at midnight in UTC, or a date-time with its zone
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
  /** A name of `OFFERS`. */
  readonly erp: string;
  readonly erpUrl: string;
  /** The place of its token, key or password; null: it has none. */
  readonly erpSecret: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The description of its lists and writes that a person wrote: keys of the section `erp`. The other answers win over them. */
  readonly description: Readonly<Record<string, unknown>>;
  /** The sections beside it, where the description is a whole configuration. The answers win over them too. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** The ERP of a whole configuration, as `erp draft` writes it. */
export interface InitErpWhole {
  /** The section `erp` for a YAML text, with its comments. */
  readonly node: unknown;
  /** The sections beside it. The answers win over them. */
  readonly beside: Readonly<Record<string, unknown>>;
}

export interface InitRest {
  /** Folder of the database. */
  readonly data: string;
  /** The first user of the screen, who acts. */
  readonly user: string;
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

/** The keys of a section of a whole configuration. */
function besides(beside: Readonly<Record<string, unknown>>, name: string): object {
  const section = beside[name];
  return typeof section === 'object' && section !== null ? section : {};
}

/** @throws UsageError for answers that do not fit */
function erpSection({ erp, erpUrl: url, erpSecret, settings, description }: InitErpAnswers): object {
  const offer = OFFERS[erp];
  if (offer === undefined) throw new UsageError(`"${erp}" is no kind of ERP: ${Object.keys(OFFERS).join(', ')}`);
  const secret = erpSecret === null ? null : reference(erpSecret);
  const section = offer.section({ url, secret, settings, description });
  if ('problem' in section) throw new UsageError(String(section.problem));
  return section;
}

/** The two ways to name the place of a secret. */
export const REFERENCE = /^(env:[A-Za-z_]\w*|file:.+)$/;

function reference(place: string): string {
  return `\${${place}}`;
}
