import { type Cause, cause } from '../../domain/causes/cause.ts';
import { remembersWrite } from '../../store/work.ts';
import type { Decision, Planned } from './decision.ts';

/** A side accepted this write, and still shows another value than the written one. */
export function withoutEffect({ action, target, after, before }: Planned): Cause {
  return cause('write-without-effect', { action, target, after, before, again: false });
}

/**
 * A write that had no effect, or that the ERP refuses for now, is not repeated: it waits for news. News is another value on either side, which makes it another
 * write, or a person or the daily pass, which have it tried once more. The key is held for the write, and this hold is the
 * record of it.
 * @param heldFor why the key was held before
 */
export function withoutRepeats<Action extends Planned>(
  decision: Decision<Action>,
  heldFor: readonly Cause[] = [],
): Decision<Action> {
  const tried = heldFor.filter(remembersWrite).filter(({ params }) => !params.again);
  if (tried.length === 0) return decision;
  const { actions, holds } = decision;
  const at = actions.findIndex((action) => tried.some((one) => isSameWrite(one.params, action)));
  const [vain] = actions.slice(at);
  const its = vain === undefined ? undefined : tried.find((one) => isSameWrite(one.params, vain));
  if (its === undefined) return decision;
  // The writes after it may rest on it.
  return { ...decision, actions: actions.slice(0, at), holds: [its, ...holds] };
}

type Change = Pick<Planned, 'action' | 'target' | 'before' | 'after'>;

/** Do both write the same value in the place of the same one? Another value before it was put there by somebody meanwhile. */
export function isSameWrite(one: Change, { action, target, before, after }: Change): boolean {
  return one.action === action && one.target === target && one.before === before && one.after === after;
}
