import type { Cause } from '../../domain/causes/cause.ts';

export interface Planned {
  /** The kind of write, such as `product.archive`. Brakes and the journal use it. */
  readonly action: string;
  /** For display: "listing 4711 (SB-0001)". */
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** Repeats an earlier write, because an older one may have been applied after it. */
  readonly confirms?: true;
  /** Fields with a person's text that this write overwrites. */
  readonly replaces?: readonly string[];
  /** A follow-up, which reports to the marketplace what the ERP has done. All other writes go first. */
  readonly follows?: true;
}

/** The result of a decider, which is pure and total. Without actions and holds, both sides are in sync. */
export interface Decision<Action extends Planned> {
  readonly actions: readonly Action[];
  /** Why nothing more can be done until something changes. Shown to the operator. */
  readonly holds: readonly Cause[];
  /** Several entities claim this one, or the sides' ids disagree. An operator has to link it. */
  readonly awaitsLink?: true;
  readonly alerts: readonly Cause[];
  /** Milliseconds until the next look, because the state that was read is not final. */
  readonly lookAgainMs: number | null;
}

export function inSync<Action extends Planned>(alerts: readonly Cause[] = []): Decision<Action> {
  return { actions: [], holds: [], alerts, lookAgainMs: null };
}

export function hold<Action extends Planned>(reason: Cause): Decision<Action> {
  return { actions: [], holds: [reason], alerts: [], lookAgainMs: null };
}

/** Holds the entity until an operator links it. */
export function holdForLink<Action extends Planned>(reason: Cause): Decision<Action> {
  return { ...hold(reason), awaitsLink: true };
}

export function act<Action extends Planned>(
  actions: readonly Action[],
  alerts: readonly Cause[] = [],
): Decision<Action> {
  return { actions, holds: [], alerts, lookAgainMs: null };
}

/**
 * The texts of a create in plans and in the journal.
 * @param isWanted false: only settle an earlier create
 */
export function createWords(
  after: string,
  why: string,
  { isWanted, createInDoubt }: { readonly isWanted: boolean; readonly createInDoubt: boolean },
) {
  return {
    before: null,
    after: isWanted ? after : 'linked if it is there',
    why: createInDoubt ? 'a create whose answer was lost has to be settled' : why,
    adoptOnly: !isWanted,
  };
}
