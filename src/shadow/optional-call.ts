import { CallFailure, type FailureKind } from '../domain/failure.ts';

/** Returns null if the answer is "not found". Any other failure proves nothing and is thrown. */
export function nullIfNotFound<T>(ask: () => Promise<T>): Promise<T | null> {
  return unlessFailed('not-found', ask);
}

/** Returns null if the other side refuses the question. Any other failure is thrown. */
export function nullIfRefused<T>(ask: () => Promise<T>): Promise<T | null> {
  return unlessFailed('refused', ask);
}

async function unlessFailed<T>(kind: FailureKind, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CallFailure && error.kind === kind) return null;
    throw error;
  }
}
