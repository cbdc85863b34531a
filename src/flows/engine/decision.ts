import type { Cause } from '../../domain/causes/cause.ts';

/** A write that would bring the two sides closer: the target, the values before and after, and the cause. */
export interface Planned {
  /** The kind of write, `product.archive`: brakes count it and the journal names it. */
  readonly action: string;
  /** The target of the write, for a person: "listing 4711 (SB-0001)". */
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** Repeats an earlier write, in case an older one was applied after it. */
  readonly confirms?: true;
  /** Names of the fields whose text a person wrote, and that this write replaces. */
  readonly replaces?: readonly string[];
  /** The write reports to the marketplace what the ERP has done: every other write goes first. */
  readonly follows?: true;
}

/**
 * A decider's result for a snapshot of both sides. Without an action and a hold, both sides are in sync. A decider is pure and
 * total; it never acts.
 */
export interface Decision<Action extends Planned> {
  readonly actions: readonly Action[];
  /** Why nothing (more) can be done until something else changes; shown to the operator. */
  readonly holds: readonly Cause[];
  /** An operator has to say what the entity belongs to: several claim it, or the ids of the two sides disagree. */
  readonly contested?: true;
  /** Facts that an operator should know although the work goes on. */
  readonly alerts: readonly Cause[];
  /** Look again after this long, because the state that was read is not final. */
  readonly lookAgainMs: number | null;
}

export function inSync<Action extends Planned>(alerts: readonly Cause[] = []): Decision<Action> {
  return { actions: [], holds: [], alerts, lookAgainMs: null };
}

export function hold<Action extends Planned>(reason: Cause): Decision<Action> {
  return { actions: [], holds: [reason], alerts: [], lookAgainMs: null };
}

/** The entity is held until an operator links it. */
export function contested<Action extends Planned>(reason: Cause): Decision<Action> {
  return { ...hold(reason), contested: true };
}

export function act<Action extends Planned>(
  actions: readonly Action[],
  alerts: readonly Cause[] = [],
): Decision<Action> {
  return { actions, holds: [], alerts, lookAgainMs: null };
}

/**
 * The words for a create in plans and in the journal.
 * @param isWanted false: an earlier create may have been applied, and nothing is to be created any more
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
