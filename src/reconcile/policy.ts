import { Decimal } from '../domain/decimal.ts';
import type { Planned } from './decision.ts';

/** What an operator and the configuration have to say about one write, at this moment. */
export interface Policy {
  readonly dryRun: boolean;
  /** Why this flow of this account is stopped; null when it goes. */
  readonly paused: string | null;
  /** The brake that watches this kind of write; null when none does. */
  readonly brake: {
    readonly limit: Limit;
    /** Writes of this kind in the last day. */
    readonly written: number;
    /** How many listings the account has, or customers where it is about them: what percentages are of. */
    readonly listings: number;
  } | null;
}

export interface Limit {
  readonly count: number | null;
  readonly percent: Decimal | null;
}

export type BrakeKind = 'archive' | 'zero' | 'increase' | 'price' | 'reject';

/** An action that a brake may hold; `changePercent` is how far a price moves. */
export interface Braked {
  readonly brake?: BrakeKind;
  readonly changePercent?: Decimal;
}

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** May this write go ahead? Everything else goes on either way. */
export function judge(action: Planned & Braked, policy: Policy): Verdict {
  if (policy.dryRun) return no(`dry-run: would ${action.action} ${action.target}`);
  if (policy.paused !== null) return no(`paused: ${policy.paused}`);
  if (action.brake === undefined || policy.brake === null) return { allowed: true };
  return judgeBrake(action, action.brake, policy.brake);
}

function judgeBrake(action: Planned & Braked, kind: BrakeKind, brake: NonNullable<Policy['brake']>): Verdict {
  const { limit, listings } = brake;
  const next = brake.written + 1;
  const line = `brake ${kind}: ${action.action} ${action.target} (${action.before} -> ${action.after})`;
  if (kind === 'price') {
    const moved = action.changePercent?.abs();
    if (limit.percent !== null && moved?.greaterThan(limit.percent)) {
      return no(`${line} moves the price by ${moved.toFixed(1)} percent, more than ${limit.percent.toFixed()}`);
    }
  } else if (limit.percent !== null && exceedsShare(next, limit.percent, listings)) {
    return no(`${line} would be number ${next} in a day, more than ${limit.percent.toFixed()} percent of ${listings}`);
  }
  if (limit.count !== null && next > limit.count) {
    return no(`${line} would be number ${next} in a day, more than ${limit.count}`);
  }
  return { allowed: true };
}

/** A share of a small catalogue would be less than one: one is always allowed, unless none is. */
function exceedsShare(next: number, percent: Decimal, listings: number): boolean {
  if (percent.isZero()) return true;
  const share = percent.times(listings).dividedBy(100);
  return new Decimal(next).greaterThan(Decimal.max(share, 1));
}

function no(reason: string): Verdict {
  return { allowed: false, reason };
}
