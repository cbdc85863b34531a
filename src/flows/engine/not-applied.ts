import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../domain/superseded.ts';

/** Did a write that failed this way certainly do nothing? It was refused, or did not leave. */
export function isNotApplied(error: unknown): error is CallFailure | Superseded {
  return error instanceof Superseded || (error instanceof CallFailure && error.outcome === 'not-applied');
}
