import { stringify } from 'yaml';
import type { StrategyName } from '../domain/strategy.ts';

/** The kinds of ERP that need no description of one's own. */
export const INIT_ERPS = {
  http: { about: 'it speaks the ERP HTTP contract', secret: 'env:ERP_TOKEN', settings: [] },
  odoo: { about: 'Odoo 19', secret: 'env:ODOO_KEY', settings: ['database', 'currency', 'customer'] },
  tryton: { about: 'Tryton 6.0', secret: 'env:TRYTON_PASSWORD', settings: ['database', 'user'] },
} as const satisfies Record<string, { about: string; secret: string; settings: readonly string[] }>;
export type InitErp = keyof typeof INIT_ERPS;

/** Flows that are off unless they are asked for, with the sections that switch them on. */
const SWITCHED_ON = {
  'erp-orders': (today: string) => ({ orders: { from_erp: { since: today } } }),
  customers: () => ({ customers: { to_marketplace: true, to_erp: true } }),
  payments: () => ({ payments: { to_marketplace: true } }),
} as const;
export type InitFlow = keyof typeof SWITCHED_ON;
export const INIT_FLOWS = Object.keys(SWITCHED_ON) as InitFlow[];

export interface InitMarketplace {
  readonly url: string;
  /** Where the key stands, as `env:NAME` or `file:PATH`: never the key. */
  readonly key: string;
  readonly seller: string;
}

export interface InitErpAnswers {
  readonly erp: InitErp;
  readonly erpUrl: string;
  /** Where its token, key or password stands. */
  readonly erpSecret: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface InitRest {
  /** Folder of the database. */
  readonly data: string;
  readonly strategy: StrategyName;
  readonly flows: readonly InitFlow[];
}

/** For a look at the marketplace before the ERP is known; nobody calls it. */
const NO_ERP = { type: 'http', url: 'http://127.0.0.1:9', token: 'not-asked-for-yet' };

/**
 * The text of a configuration file. Secrets are named in it and stand elsewhere.
 * @param erp null: not known yet
 * @param today orders that are made in the ERP from this day on are entered on the marketplace: `2026-01-31`
 */
export function initText(
  marketplace: InitMarketplace,
  erp: InitErpAnswers | null,
  rest: InitRest,
  today: string,
): string {
  const { data, strategy, flows } = rest;
  const switchedOn = Object.fromEntries(flows.flatMap((flow) => Object.entries<object>(SWITCHED_ON[flow](today))));
  const account = {
    marketplace: {
      base_url: marketplace.url,
      auth: { scheme: 'app', key: reference(marketplace.key) },
      seller_id: /^\d{1,15}$/.test(marketplace.seller) ? Number(marketplace.seller) : marketplace.seller,
    },
    erp: erp === null ? NO_ERP : erpSection(erp),
    inventory: { strategy },
    ...switchedOn,
  };
  return `# Made by "stockbridge init". Secrets are named here, and stand in the environment or in files.
${stringify({ version: 1, state: { dir: data }, accounts: { main: account } }, { lineWidth: 0 })}`;
}

function erpSection({ erp, erpUrl: url, erpSecret, settings }: InitErpAnswers): object {
  const secret = reference(erpSecret);
  if (erp === 'http') return { type: 'http', url, token: secret };
  if (erp === 'odoo') return { type: 'rest', extends: 'odoo', url, auth: { token: secret }, settings };
  return { type: 'tryton', url, ...settings, password: secret };
}

/** What a person may write for where a secret stands. */
export const REFERENCE = /^(env:[A-Za-z_]\w*|file:.+)$/;

function reference(place: string): string {
  return `\${${place}}`;
}
