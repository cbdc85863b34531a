import { proofOf } from '../../use/log-in-links.ts';
import { type AdminKeys, callerOf, isBearer, type Known } from '../access.ts';
import { type Attempts, BY_TOKEN } from './attempts.ts';

/** The most wrong tokens that are remembered. */
const MOST_KEPT = 1_000;

/** Wrong attempts hold this one back. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts';
  readonly waitS: number;
  constructor(waitMs: number) {
    const waitS = Math.ceil(waitMs / 1_000);
    super(`There were too many wrong attempts. Try again in ${waitS} s.`);
    this.waitS = waitS;
  }
}

export interface Tokens {
  /**
   * The caller that the bearer token of a request stands for; null: nobody. A right token never waits: it is too long to be guessed,
   * and strangers could else hold back a program behind the same address.
   * @throws TooManyAttempts when the token is wrong, and this address has guessed too often
   */
  callerOf(header: string, address: string, keys: AdminKeys): Known | null;
}

/**
 * Bounds the guesses of bearer tokens. A wrong token that comes again is no further guess: a program with a former token must not
 * hold back the others on its machine.
 */
export function createTokens(attempts: Attempts): Tokens {
  const wrong = new Set<string>();
  return {
    callerOf(header, address, keys) {
      if (!isBearer(header)) return null;
      const caller = callerOf(header, keys);
      const digest = proofOf(header);
      if (caller !== null || wrong.has(digest)) return caller;
      const waitMs = attempts.waitMs(address, BY_TOKEN);
      if (waitMs > 0) throw new TooManyAttempts(waitMs);
      attempts.begin(address, BY_TOKEN)(false);
      wrong.add(digest);
      const [oldest] = wrong;
      if (wrong.size > MOST_KEPT && oldest !== undefined) wrong.delete(oldest);
      return null;
    },
  };
}
