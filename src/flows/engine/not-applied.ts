import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../domain/superseded.ts';

/** Returns whether a failed write certainly had no effect: refused, or not sent. */
export function isNotApplied(error: unknown): error is CallFailure | Superseded {
  return error instanceof Superseded || (error instanceof CallFailure && error.outcome === 'not-applied');
}
