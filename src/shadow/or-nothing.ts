import { CallFailure } from '../domain/failure.ts';

/** null when the other side answers that there is no such thing. Any other failure proves nothing, and is thrown. */
export async function orNothing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CallFailure && error.kind === 'not-found') return null;
    throw error;
  }
}
