import { brakeStateText } from '../brake.ts';
import { counted } from '../counted.ts';
import { Decimal } from '../decimal.ts';
import type { MetLock, WaitsFor } from '../failure.ts';
import { moneyText } from '../money-text.ts';
import { type AnyCause, entriesOn, erp, nobody, operator, orNull, withSharedParams } from './entry.ts';

interface Write {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

const LOOK = 'Review the plan, then approve or drop it: stockbridge brakes list';
const EXCEEDS: AnyCause = { code: 'too-many-writes', params: { count: 12, span: 'pass', most: 10 } };
const WRITE: Write = {
  action: 'product.archive',
  target: 'listing 4711 (SB-0001)',
  before: 'listed',
  after: 'archived',
};

const ZEROING: Write = {
  action: 'stock.write',
  target: 'listing 4711 (SB-0001) available_inventory',
  before: '240',
  after: '0',
};

const SPANS = { pass: '15 minutes', day: 'a day' } as const;
const PASS = 'pass' as keyof typeof SPANS;

const UNMEASURED_MOVES = {
  'from-unknown': 'changes the price from an unknown value',
  'from-nothing': 'sets a price where there was none',
  'by-schedule': 'changes all prices to those of another price schedule',
} as const;
export type UnmeasuredMove = keyof typeof UNMEASURED_MOVES;

/** A case of another size, with its price per unit before and now. */
export interface CaseChange {
  readonly was: string;
  readonly now: string;
  readonly unitWas: string;
  readonly unitNow: string;
}

function caseText({ was, now, unitWas, unitNow }: CaseChange): string {
  const [before, after] = [moneyText(unitWas), moneyText(unitNow)];
  const unit = before === after ? `a unit still costs ${after}` : `a unit costs ${after} instead of ${before}`;
  return `changes the case from ${was} to ${now} units (${unit}), and with it the price of a case`;
}

const SEEN: Readonly<Record<string, string>> = { 'SB-0001': '2' };

/** What a refused write waits for, after "It waits for". */
const WAITED_FOR: Readonly<Record<WaitsFor['what'], (skus: readonly string[]) => string>> = {
  stock: (skus) => `more stock of ${namesOf(skus)}`,
  product: (skus) => `a change of ${namesOf(skus)}`,
  time: () => 'the next retry, after 15 minutes',
};

const MENDS_OF_REFUSAL: Readonly<Record<WaitsFor['what'], string>> = {
  stock:
    "Get the stock, or correct the ERP's stock or the order. It is retried when the ERP shows more stock, and when the order changes.",
  product: 'Correct the product in the ERP. It is retried when the product changes, and when the order changes.',
  time: 'Fix the reason in the ERP, if it does not pass by itself. It is retried every 15 minutes, and when the order changes.',
};

function namesOf(skus: readonly string[]): string {
  return skus.length === 0 ? 'its products' : skus.join(', ');
}

function shown({ action, target, before, after }: Write): string {
  return `${action} ${target} (${before ?? 'nothing'} -> ${after ?? 'nothing'})`;
}

const DRY_RUN_CODES = entriesOn('going-live', {
  'dry-run': withSharedParams(
    [],
    nobody(
      ({ action, target }) => `The mode is dry-run, so nothing is written. In mode live: ${action} ${target}`,
      'Nothing to do while you test. When the plan is right, set mode to live.',
      { action: 'product.create', target: 'a listing for SB-0001' },
    ),
  ),
});

const PLAN_CODES = entriesOn('going-live', {
  'not-in-plan': withSharedParams(
    [],
    nobody(
      ({ action, target }) => `${action} ${target} is not in the plan that is applied, so it is not written now`,
      'Nothing to do: the daemon writes it, or "stockbridge sync" without a plan.',
      { action: 'product.create', target: 'a listing for SB-0001' },
    ),
  ),
});

export const WRITE_CODES = {
  ...DRY_RUN_CODES,
  ...PLAN_CODES,
  ...entriesOn('failures', {
    'tried-again': nobody(
      ({ message }) => `The last attempt failed: ${message}`,
      'Nothing to do at first: it is retried automatically. If the message stays, fix the reason that it names.',
      {
        message:
          'The ERP at https://erp.example answered 500 ("not enough stock") when asked to create the order with reference 9f1c0a52',
        lock: orNull<MetLock>(null),
      },
    ),
    'waits-first': nobody(
      ({ reason }) => `This entity waits: ${reason}`,
      'Nothing to do: no write is repeated before the result of the earlier one is known.',
      { reason: 'an earlier attempt may still be applied' },
    ),
    paused: withSharedParams(
      ['reason'],
      operator(({ reason }) => `The flow is paused: ${reason}`, 'To continue: stockbridge resume FLOW', {
        reason: 'stocktaking',
      }),
    ),
    'rules-disagree': operator(
      ({ steps }) =>
        `The two sides still differ after ${steps} writes, so two rules of Stockbridge contradict each other`,
      'This is a bug of Stockbridge: report it with the output of "stockbridge jobs show".',
      { steps: 12 },
    ),
    'erp-refuses-for-now': erp(
      ({ message, waitsFor, skus }) => `${message} It waits for ${WAITED_FOR[waitsFor](skus)}`,
      ({ waitsFor }) => MENDS_OF_REFUSAL[waitsFor],
      {
        action: 'order-in.create',
        target: 'ERP order for 9f1c0a52',
        before: orNull<string>(null),
        after: orNull('reserved, 120.00 USD'),
        message:
          'The ERP at https://erp.example answered 409 ("3 units of SB-0001 are missing") when asked to create the order with reference 9f1c0a52',
        waitsFor: 'stock' as WaitsFor['what'],
        /** The products concerned. Empty: none is named. */
        skus: ['SB-0001'] as readonly string[],
        /** By product: its stock, or the time of its last change, in the shadow when the write was refused. */
        seen: SEEN,
        /** Epoch milliseconds. */
        againAtMs: 1_900_000_000_000,
        again: false,
      },
    ),
    'erp-record-locked': erp(
      ({ message, since }) => `${message} The record has been locked since ${since}`,
      ({ shownBy, endedBy }) =>
        `End the session that holds the lock, such as an open form or a report. To list the sessions that may hold it, the oldest first (as the owner of the database): ${shownBy}. If nobody can close the session, end it: ${endedBy}. The write is retried every five minutes, and when the order changes.`,
      {
        action: 'order-in.create',
        target: 'ERP order for 9f1c0a52',
        before: orNull<string>(null),
        after: orNull('reserved, 120.00 USD'),
        message:
          'The ERP at postgres://erp.example/shop answered "canceling statement due to lock timeout while locking tuple (0,9) in relation "article"" (55P03) to erp.writes.order-create[1] when asked to create the order with reference 9f1c0a52. Another transaction holds a lock on these rows.',
        /** ISO 8601. */
        since: '2026-11-29T08:10:00Z',
        shownBy: 'select pid, usename, xact_start from pg_stat_activity order by xact_start',
        endedBy: 'select pg_terminate_backend(PID)',
        /** Epoch milliseconds. */
        againAtMs: 1_900_000_000_000,
        again: false,
      },
    ),
    'ids-linked-otherwise': operator(
      ({ kind, ids, linked }) =>
        `Marketplace ${kind} ${ids[0]} cannot be linked to ERP ${kind} ${ids[1]}, because ${linked[0]} is linked to ${linked[1]} already`,
      ({ kind, ids }) =>
        `If the existing link is wrong, replace it: stockbridge map link ${kind} ${ids[0]} ${ids[1]} --replace`,
      { kind: 'product', ids: ['4711', 'P-1'], linked: ['4711', 'P-9'] },
    ),
  }),
};

export const BRAKE_CODES = entriesOn('brakes', {
  'links-unknown': withSharedParams(
    [],
    nobody(
      'Some listings are not linked yet, so the brakes cannot count how many stocks would change',
      'Nothing to do: it continues when all listings have been compared with the ERP.',
    ),
  ),
  'brake-kind-waits': withSharedParams(
    ['brake'],
    operator(
      ({ brake, exceeds }, tell) => `The brake ${brake} holds all writes of its kind, because each ${tell(exceeds)}`,
      LOOK,
      { brake: 'archive', exceeds: EXCEEDS },
    ),
  ),
  'brake-refused': nobody(
    ({ brake, state, by, ...write }) =>
      `The brake ${brake} holds ${shown(write)}, which was ${brakeStateText(state)} by ${by}`,
    'Nothing to do: the write stays held until the value changes. To approve it after all: stockbridge brakes list',
    { brake: 'archive', ...WRITE, state: 'vetoed', by: 'anna' },
  ),
  'fall-refused': operator(
    ({ sku, offered, place, brake, state, by, ...write }) =>
      `Buyers can order ${offered} of SKU ${sku}${place == null ? '' : ` at ${place}`}, but none is in stock. The brake ${brake} holds ${shown(write)}, which was ${brakeStateText(state)} by ${by}`,
    "Approve the write after all (stockbridge brakes list), or correct the ERP's stock. Until then, orders of this SKU may have to be cancelled.",
    {
      brake: 'zero',
      ...ZEROING,
      state: 'dropped',
      by: 'anna',
      sku: 'SB-0001',
      offered: '240 units',
      place: orNull<string>(null),
    },
  ),
  'brake-plan': operator(
    ({ brake, exceeds, waits, plan, ...write }, tell) =>
      `The brake ${brake} holds ${shown(write)}, which ${waits ? 'waits for an operator, because it ' : ''}${tell(exceeds)}${plan === null ? '' : `; it is in plan ${plan}`}`,
    LOOK,
    { brake: 'archive', ...WRITE, exceeds: EXCEEDS, waits: false, plan: orNull(3) },
  ),
});

/** A share as a count of writes. One write is always allowed, unless the limit is 0. */
function shareText(percent: string, of: number): string {
  const share = new Decimal(percent).times(of).dividedBy(100);
  const isLeast = share.lessThan(1) && !share.isZero();
  return `${isLeast ? '1, which always passes' : share.floor().toFixed()} (${percent} percent of ${of})`;
}

/** Limits of brakes. Each text follows the write that exceeds the limit, in the sentences of the two codes above. */
export const LIMIT_CODES = entriesOn('brakes', {
  'too-many-writes': operator(
    ({ count, span, most }) => `would be one of ${count} such writes within ${SPANS[span]}; the limit is ${most}`,
    LOOK,
    { count: 12, span: PASS, most: 10 },
  ),
  'too-large-a-share': operator(
    ({ count, span, percent, of }) =>
      `would be one of ${count} such writes within ${SPANS[span]}; the limit is ${shareText(percent, of)}`,
    LOOK,
    { count: 12, span: PASS, percent: '5', of: 200 },
  ),
  'price-moves-far': operator(
    ({ percent, span, most, otherCase }) =>
      `${otherCase == null ? 'changes the price' : caseText(otherCase)} by ${percent} percent${span === 'pass' ? '' : ' within a day'}; the limit is ${most}`,
    LOOK,
    { percent: '70.1', span: PASS, most: '50', otherCase: null as CaseChange | null | undefined },
  ),
  'price-moves-unmeasured': operator(
    ({ moves, most }) => `${UNMEASURED_MOVES[moves]}, which counts as more than the limit of ${most} percent`,
    LOOK,
    { moves: 'from-unknown' as UnmeasuredMove, most: '50' },
  ),
  'history-open': operator(
    ({ count, from }) =>
      `is ${count === 1 ? 'an open order' : `one of ${count} open orders`} from before ${from}, which somebody may have entered in the ERP by hand`,
    'To enter them in the ERP, approve the plan, with --except for those that the ERP has already. To enter none, drop the plan. The plan: stockbridge brakes list',
    { count: 12, from: '2026-11-01T00:00:00Z' },
  ),
  'relink-open': operator(
    ({ count }) =>
      `is ${count === 1 ? 'a link' : `one of ${count} links`} that ${count === 1 ? 'moves' : 'move'} to another id of the same product or payment`,
    'Compare the names in the plan. To move the links, approve the plan, with --except for those that are wrong. The plan: stockbridge brakes list',
    { count: 12 },
  ),
  'reprice-open': operator(
    ({ count }) =>
      `is ${count === 1 ? 'a price' : `one of ${count} prices`} that ${count === 1 ? 'is' : 'are'} the ERP's price of a unit for a case, or of a case for a unit`,
    "Check the prices in the plan. If the new prices are right, approve it. If the ERP's prices are those of cases, set erp.price_per: case",
    { count: 12 },
  ),
  'approved-otherwise': operator(({ approved }) => `was approved with the other value ${approved}`, LOOK, {
    approved: '60',
  }),
});

export const STRATEGY_CODES = entriesOn('strategies', {
  'strategy-waits': operator(
    ({ inForce, configured, open }) =>
      `The configuration changes the strategy from ${inForce} to ${configured}, but ${counted(open, 'order')} ${open === 1 ? 'is' : 'are'} open. The change waits for an approval`,
    ({ inForce, configured }) =>
      `To see the effect: stockbridge plan --strategy ${configured}. To approve the change, add --approve. Otherwise set inventory.strategy back to ${inForce}.`,
    { inForce: 'submitted-available', configured: 'fulfilled-quantity', open: 4 },
  ),
});
