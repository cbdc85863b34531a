import type { Request } from './sides.ts';

/**
 * I21: while nothing happens on either side, no write that was accepted is sent again, whether it had an effect or not.
 * @param broken gets the broken law
 */
export function createEffectLaw(broken: string[]) {
  let sent: Set<string> | null = null;
  return {
    /** From now on, nothing happens on either side. */
    quiet(): void {
      sent = new Set();
    },
    /** Something happens again. */
    news(): void {
      sent = null;
    },
    accepted({ method, target, body }: Request): void {
      const write = `${method} ${target} ${body}`;
      if (sent?.has(write)) broken.push(`I21: sent again without news: ${write}`);
      sent?.add(write);
    },
  };
}
