import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../marketplace/client.ts';

/** A write that failed so did certainly nothing: it was refused, or did not leave. */
export function isNotApplied(error: unknown): error is CallFailure | Superseded {
  return error instanceof Superseded || (error instanceof CallFailure && error.outcome === 'not-applied');
}
