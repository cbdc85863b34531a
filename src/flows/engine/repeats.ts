import { type Cause, cause } from '../../domain/causes/cause.ts';
import { remembersWrite } from '../../store/work.ts';
import type { Decision, Planned } from './decision.ts';

/** A write was accepted, but the side still shows another value. */
export function withoutEffect({ action, target, after, before }: Planned): Cause {
  return cause('write-without-effect', { action, target, after, before, again: false });
}

/**
 * Holds a write that had no effect, or that the ERP refuses for now, until there is news: another value on either side,
 * which makes it another write, or a person or the daily pass requesting a retry. This hold stores the write.
 * @param heldFor the key's previous holds
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
  // Later writes may depend on it.
  return { ...decision, actions: actions.slice(0, at), holds: [its, ...holds] };
}

type Change = Pick<Planned, 'action' | 'target' | 'before' | 'after'>;

/**
 * Returns whether both replace the same value with the same value. A different `before` means that somebody changed it
 * meanwhile.
 */
export function isSameWrite(one: Change, { action, target, before, after }: Change): boolean {
  return one.action === action && one.target === target && one.before === before && one.after === after;
}
