import type { Limit } from '../../config/brakes.ts';
import { type Cause, cause, type ParamsOf } from '../../domain/causes/cause.ts';
import type { AnyCause } from '../../domain/causes/entry.ts';
import type { CaseChange, UnmeasuredMove } from '../../domain/causes/writes.ts';
import { Decimal } from '../../domain/decimal.ts';
import type { BrakedWrite, BrakePlan, PlannedItem } from '../../store/record.ts';
import type { Planned } from './decision.ts';

export interface Policy {
  readonly dryRun: boolean;
  /** Why the flow is paused. null: it is not. */
  readonly paused: string | null;
  /** The brake for this kind of write. null: none. */
  readonly brake: BrakeState | null;
  /** Only the writes of a saved plan are made, and this one is not in it. */
  readonly isOutsidePlan?: boolean;
}

/** What a brake needs to judge a write together with others of its kind. */
export interface BrakeState {
  readonly pass: Counted;
  readonly day: Counted;
  /** Other waiting writes of this kind, judged together with this one. */
  readonly others: readonly BrakedWrite[];
  /** The total for percentages: listings, customers or open orders. */
  readonly of: number;
  /** The first links are incomplete, so the number of writes of this kind is unknown. */
  readonly isUnlinked: boolean;
  /** The open plan in which all writes of this kind wait. */
  readonly holdingAll: Pick<BrakePlan, 'reason'> | null;
  /** This write in a plan: the same action on the same target. */
  readonly item: (PlannedItem & { readonly same: boolean; readonly decided: boolean }) | null;
}

interface Counted {
  readonly limit: Limit;
  /** Writes of this kind made without an approval, in this pass or this day. */
  readonly written: number;
  /** The change of the price by this write and earlier ones. null: there is no price to compare. */
  readonly movedPercent: Decimal | UnmeasuredMove | null;
}

export const BRAKE_KINDS = [
  'create',
  'archive',
  'zero',
  'increase',
  'price',
  'reject',
  'history',
  'relink',
  'reprice',
] as const;
export type BrakeKind = (typeof BRAKE_KINDS)[number];

export interface Braked {
  readonly brake?: BrakeKind;
  /** A price change in percent, or why it cannot be computed, and the new amount. */
  readonly changePercent?: Decimal | UnmeasuredMove;
  readonly priceAmount?: Decimal;
  readonly otherCase?: CaseChange | null;
  /** While the write is held, buyers can take this quantity although there is none, in total or at this place. */
  readonly offersMore?: { readonly sku: string; readonly place: string | null; readonly offered: string };
  /** For an order that is history: the date from which orders are processed. */
  readonly historyBefore?: string;
  /** The values to which an approval is bound. Omitted: all values. */
  readonly asPlanned?: { readonly before: string; readonly after: string };
}

export function plannedWrite({ action, target, before, after, asPlanned }: Planned & Braked) {
  return { action, target, before: asPlanned?.before ?? before, after: asPlanned?.after ?? after };
}

export type Verdict =
  /** `approval`: the approved plan item that this write uses up. */
  | { readonly allowed: true; readonly approval: number | null }
  /** `hold`: `refused` by an operator. null: everything waits. */
  | { readonly allowed: false; readonly cause: Cause; readonly hold: 'refused' | null }
  | Held;

/** Waits in a plan, alone or with all writes of its kind. */
export interface Held {
  readonly allowed: false;
  readonly cause: Cause;
  readonly hold: 'this' | 'all';
  readonly waits: boolean;
  /** The exceeded limit, shared by other writes of the plan. */
  readonly exceeds: AnyCause;
}

type BrakedWriteParams = Omit<ParamsOf<'brake-refused'>, 'state' | 'by'>;

/** Decides whether the write may be made. It never affects other writes. */
export function judge(action: Planned & Braked, policy: Policy): Verdict {
  if (policy.dryRun) return no(cause('dry-run', { action: action.action, target: action.target }), null);
  if (policy.paused !== null) return no(cause('paused', { reason: policy.paused }), null);
  if (policy.isOutsidePlan) return no(cause('not-in-plan', { action: action.action, target: action.target }), null);
  if (action.brake === undefined || policy.brake === null) return { allowed: true, approval: null };
  const { item, holdingAll, isUnlinked } = policy.brake;
  if (isUnlinked) return no(cause('links-unknown'), null);
  const write = { brake: action.brake, ...plannedWrite(action) };
  if (item?.same && item.decided) {
    if (item.state === 'approved') return { allowed: true, approval: item.id };
    const refused = { ...write, state: item.state, by: item.decidedBy ?? '' };
    const { offersMore } = action;
    const why =
      offersMore === undefined ? cause('brake-refused', refused) : cause('fall-refused', { ...refused, ...offersMore });
    return no(why, 'refused');
  }
  if (item?.state === 'approved' && !item.same && item.holdsAll && holdingAll === null)
    return judgeLimits(policy.brake, write, action, cause('approved-otherwise', { approved: item.after ?? '' }));
  // A write that waited for an operator keeps waiting. Only a single price may have been corrected meanwhile.
  const waits = item !== null && (item.state === 'held' || item.state === 'approved') && (item.same || item.holdsAll);
  const exceeded = item?.same ? item.reason : (holdingAll?.reason ?? item?.planReason);
  if (exceeded !== undefined && (holdingAll !== null || waits)) {
    return held(write, exceeded, holdingAll !== null || item?.holdsAll ? 'all' : 'this', true);
  }
  const { historyBefore: from } = action;
  if (from !== undefined) return held(write, cause('history-open', { count: total(0, policy.brake), from }), 'all');
  if (action.brake === 'reprice') return held(write, cause('reprice-open', { count: total(0, policy.brake) }), 'all');
  if (action.brake === 'relink') return held(write, cause('relink-open', { count: total(0, policy.brake) }), 'all');
  return judgeLimits(policy.brake, write, action);
}

/** @param within why a write already in a plan is held alone although no limit is exceeded */
function judgeLimits(
  brake: BrakeState,
  write: BrakedWriteParams,
  { otherCase = null }: Pick<Braked, 'otherCase'>,
  within: Cause | null = null,
): Verdict {
  for (const [span, { limit, written, movedPercent }] of [
    ['pass', brake.pass],
    ['day', brake.day],
  ] as const) {
    const count = total(written, brake);
    if (write.brake === 'price') {
      const far =
        limit.percent === null || movedPercent === null ? null : tooFar(movedPercent, limit.percent, span, otherCase);
      if (far !== null) return held(write, far, 'this');
    } else if (limit.percent !== null && exceedsShare(count, limit.percent, brake.of)) {
      const share = { count, span, percent: limit.percent.toFixed(), of: brake.of };
      return held(write, cause('too-large-a-share', share), 'all');
    }
    if (limit.count !== null && count > limit.count) {
      return held(write, cause('too-many-writes', { count, span, most: limit.count }), 'all');
    }
  }
  return within === null ? { allowed: true, approval: null } : held(write, within, 'this', true);
}

/** A change of unknown size counts as the largest possible one. */
const ANYWHERE = new Decimal(100);

function tooFar(
  moved: Decimal | UnmeasuredMove,
  limit: Decimal,
  span: 'pass' | 'day',
  otherCase: CaseChange | null,
): Cause | null {
  const most = limit.toFixed();
  if (typeof moved === 'string')
    return ANYWHERE.greaterThan(limit) ? cause('price-moves-unmeasured', { moves: moved, most }) : null;
  const percent = moved.abs();
  return percent.greaterThan(limit)
    ? cause('price-moves-far', { percent: percent.toFixed(1), span, most, otherCase })
    : null;
}

/** Writes of this kind: made, waiting, and this one. */
function total(written: number, { others }: BrakeState): number {
  return written + others.length + 1;
}

/** A share of a small catalogue may be below one write. One write is always allowed, unless the limit is 0. */
function exceedsShare(count: number, percent: Decimal, of: number): boolean {
  if (percent.isZero()) return true;
  const share = percent.times(of).dividedBy(100);
  return new Decimal(count).greaterThan(Decimal.max(share, 1));
}

function no(why: Cause, hold: 'refused' | null): Verdict {
  return { allowed: false, cause: why, hold };
}

function held(write: BrakedWriteParams, exceeds: AnyCause, hold: 'this' | 'all', waits = false): Held {
  return { allowed: false, cause: cause('brake-plan', { ...write, exceeds, waits, plan: null }), hold, waits, exceeds };
}

/** Returns whether the brake counts this kind of write. If not, it judges each one alone. */
export function isCounted(kind: BrakeKind, { pass, day }: { readonly pass: Limit; readonly day: Limit }): boolean {
  return [pass, day].some(({ count, percent }) => count !== null || (percent !== null && kind !== 'price'));
}
