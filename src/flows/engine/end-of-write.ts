import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../domain/superseded.ts';
import { MappingConflict } from '../../store/links.ts';
import { AfterWrite } from './after-write.ts';

/** The journal's entry for a write that failed this way; null: the write was not sent, and leaves no entry. */
export function endOf(error: unknown): { outcome: 'written' | 'refused' | 'unknown'; answer: string } | null {
  if (error instanceof AfterWrite) return { outcome: 'written', answer: error.answer };
  if (error instanceof Superseded || error instanceof MappingConflict) return null;
  const answer = error instanceof Error ? error.message : String(error);
  // Our own code failed, before the write was sent or after the answer.
  if (!(error instanceof CallFailure)) return { outcome: 'unknown', answer };
  if (error.ofRead || neverLeft(error)) return null;
  return { outcome: error.outcome === 'unknown' ? 'unknown' : 'refused', answer };
}

/** The ERP refused a write because of its present state. Nobody has to mend the job. */
export function isForNow({ side, kind, outcome }: CallFailure): boolean {
  return side === 'erp' && kind === 'refused-for-now' && outcome === 'not-applied';
}

/** Our own quota has no room for the call, or no descriptor is left: nothing was sent. */
export function hadNoRoom({ kind, status }: CallFailure): boolean {
  return kind === 'rate-limited' && status === null;
}

/**
 * Nobody refused the write, because it did not leave: no room in the quota, no file descriptor, no connection, an unknown host. A call
 * that was answered with 429 does not count: it was sent, and an earlier attempt of it may have arrived.
 */
function neverLeft({ kind, status, outcome }: CallFailure): boolean {
  return (kind === 'rate-limited' || kind === 'unavailable') && status === null && outcome === 'not-applied';
}
