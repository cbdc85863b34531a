import { ABILITY_CODES, TRANSPORT_CODES } from './abilities.ts';
import { APPROVAL_CODES } from './approvals.ts';
import { ASSIGNMENT_CODES } from './assignments.ts';
import { BUSINESS_CODES } from './business.ts';
import { DOUBT_CODES, EVIDENCE_CODES } from './creates.ts';
import { CUSTOMER_CODES } from './customers.ts';
import type { AnyCause, Entry, Page, Turn } from './entry.ts';
import { FILE_CODES } from './files.ts';
import { ORDER_COPY_CODES } from './order-copies.ts';
import { ORDER_EDIT_CODES } from './order-edits.ts';
import { ORDER_MONEY_CODES } from './order-money.ts';
import { ORDER_STATUS_CODES } from './order-statuses.ts';
import { ORDER_CODES } from './orders.ts';
import { PAYMENT_CODES } from './payments.ts';
import { IMAGE_CODES, PRODUCT_CODES } from './products.ts';
import { FAILURE_CODES, OLD_CODES, READ_CODES, ROW_CODES, WEBHOOK_CODES } from './reads.ts';
import { SETTING_CODES } from './settings.ts';
import { FACILITY_CODES, STOCK_CODES } from './stock.ts';
import { BRAKE_CODES, LIMIT_CODES, STRATEGY_CODES, WRITE_CODES } from './writes.ts';

export const CODES = {
  ...PRODUCT_CODES,
  ...IMAGE_CODES,
  ...STOCK_CODES,
  ...FACILITY_CODES,
  ...ORDER_CODES,
  ...ORDER_COPY_CODES,
  ...ORDER_EDIT_CODES,
  ...ORDER_STATUS_CODES,
  ...ORDER_MONEY_CODES,
  ...BUSINESS_CODES,
  ...ABILITY_CODES,
  ...APPROVAL_CODES,
  ...TRANSPORT_CODES,
  ...CUSTOMER_CODES,
  ...ASSIGNMENT_CODES,
  ...PAYMENT_CODES,
  ...WRITE_CODES,
  ...BRAKE_CODES,
  ...LIMIT_CODES,
  ...STRATEGY_CODES,
  ...DOUBT_CODES,
  ...EVIDENCE_CODES,
  ...READ_CODES,
  ...ROW_CODES,
  ...FILE_CODES,
  ...WEBHOOK_CODES,
  ...FAILURE_CODES,
  ...SETTING_CODES,
  ...OLD_CODES,
};

export type Code = keyof typeof CODES;
export type ParamsOf<Name extends Code> =
  (typeof CODES)[Name] extends Entry<infer Params> ? (unknown extends Params ? object : Params) : never;

/**
 * Why something is held, has failed, is in doubt or raises an alert. The sentence is made only where the cause is
 * shown.
 */
export type Cause = { [Name in Code]: { readonly code: Name; readonly params: ParamsOf<Name> } }[Code];

type Needed<Params> = keyof Params extends never ? [] : [params: Params];

export function cause<Name extends Code>(code: Name, ...[params]: Needed<ParamsOf<Name>>): Cause {
  return { code, params: params ?? {} } as Cause;
}

export function isCause(value: object | null): value is Cause {
  return value !== null && 'code' in value && 'params' in value;
}

function entryOf(code: string): Entry<object> {
  // A database written by a later version may contain codes that this version does not know.
  const known = Object.hasOwn(CODES, code) ? CODES[code as Code] : undefined;
  return (known ?? UNKNOWN) as Entry<object>;
}

const UNKNOWN: Entry<object> = {
  page: 'upgrade',
  turn: 'operator',
  text: (params) => JSON.stringify(params),
  next: 'A later version of Stockbridge wrote this message: read it with that version.',
  example: {},
  shared: null,
};

export function sentenceOf({ code, params }: AnyCause): string {
  const { text } = entryOf(code);
  return typeof text === 'string' ? text : text(params, sentenceOf);
}

export function sentencesOf(causes: readonly AnyCause[]): string {
  return causes.map(sentenceOf).join('; ');
}

export function exampleOf(code: Code): AnyCause {
  return { code, params: entryOf(code).example };
}

export const TURNS: Readonly<Record<Turn, string>> = {
  erp: "the ERP's turn",
  marketplace: "the marketplace's turn",
  operator: 'your turn',
  nobody: 'it waits by itself',
};

export interface ShownCause extends AnyCause {
  readonly text: string;
  readonly turn: Turn;
  readonly next: string;
  readonly page: Page;
}

export function shownCause({ code, params }: AnyCause): ShownCause {
  const { turn, next, page } = entryOf(code);
  const step = typeof next === 'string' ? next : next(params);
  return { code, params, text: sentenceOf({ code, params }), turn, next: step, page };
}

export const DIFFERENCES = (Object.keys(CODES) as Code[]).filter((code) => entryOf(code).differs === true);

/** For each code whose cases are grouped: the parameters that name the group. */
export const SHARED_PARAMS = (Object.keys(CODES) as Code[]).flatMap((code) => {
  const { shared } = entryOf(code);
  return shared === null || shared.params.length === 0 ? [] : [{ code, params: shared.params }];
});

/**
 * Returns the name of the cause's group, such as `orders` or `payments: voucher`. null: cases of this code are not
 * grouped.
 */
export function sharedOf({ code, params }: AnyCause): string | null {
  const { shared, page } = entryOf(code);
  if (shared === null) return null;
  const named = new Map<string, string>(Object.entries(params));
  return [shared.side ?? page, ...shared.params.map((name) => named.get(name) ?? '')].join(': ');
}

/**
 * The key by which every view, metric and message counts causes: one for a group, otherwise one for each flow and code.
 */
export function causeKey(about: string, why: AnyCause): string {
  const shared = sharedOf(why);
  return JSON.stringify([why.code, shared === null, shared ?? about]);
}

export function byCause<Case>(
  cases: Iterable<Case>,
  of: (one: Case) => { readonly about: string; readonly cause: AnyCause },
): Case[][] {
  const keyOf = (one: Case) => causeKey(of(one).about, of(one).cause);
  return [...Map.groupBy(cases, keyOf).values()];
}
