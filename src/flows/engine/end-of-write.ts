import { CallFailure } from '../../domain/failure.ts';
import { Superseded } from '../../domain/superseded.ts';
import { MappingConflict } from '../../store/links.ts';
import { AfterWriteError } from './after-write.ts';

/** The journal entry of a failed write. null: it was not sent, and leaves no entry. */
export function failedEntry(error: unknown): { outcome: 'written' | 'refused' | 'unknown'; answer: string } | null {
  if (error instanceof AfterWriteError) return { outcome: 'written', answer: error.answer };
  if (error instanceof Superseded || error instanceof MappingConflict) return null;
  const answer = error instanceof Error ? error.message : String(error);
  // Our own code failed, before sending or after the answer.
  if (!(error instanceof CallFailure)) return { outcome: 'unknown', answer };
  if (error.ofRead || neverLeft(error)) return null;
  return { outcome: error.outcome === 'unknown' ? 'unknown' : 'refused', answer };
}

/** The ERP refused a write because of its current state. No person has to act. */
export function isRefusedForNow({ side, kind, outcome }: CallFailure): boolean {
  return side === 'erp' && kind === 'refused-for-now' && outcome === 'not-applied';
}

/** Our quota or file descriptors were used up, so nothing was sent. */
export function lackedCapacity({ kind, status }: CallFailure): boolean {
  return kind === 'rate-limited' && status === null;
}

/**
 * Returns whether the write was never sent: no quota, file descriptor or connection, or an unknown host. A 429 does not
 * count: the call was sent, and an earlier attempt may have arrived.
 */
function neverLeft({ kind, status, outcome }: CallFailure): boolean {
  return (kind === 'rate-limited' || kind === 'unavailable') && status === null && outcome === 'not-applied';
}
