import { isBefore } from '../../src/domain/instant.ts';
import type { Reply, Request } from './sides.ts';

/**
 * Does an answer tell everything? After the ERP has falsely said that nothing changed since an instant, only a read from that
 * instant or earlier shows the missing rows. A list that the ERP itself calls incomplete does not count.
 */
export function createTellsAll() {
  const leftOutSince = new Map<string, string>();
  return ({ target }: Pick<Request, 'target'>, { body, untrue }: Pick<Reply, 'body' | 'untrue'>): boolean => {
    const { pathname, searchParams } = new URL(target, 'http://side.invalid');
    const since = searchParams.get('changed_since');
    const leftOut = leftOutSince.get(pathname);
    if (untrue === true) {
      const isBelieved = since !== null && body.includes('"complete":true');
      if (isBelieved && (leftOut === undefined || isBefore(since, leftOut))) leftOutSince.set(pathname, since);
      return false;
    }
    if (leftOut !== undefined && since !== null && isBefore(leftOut, since)) return false;
    leftOutSince.delete(pathname);
    return true;
  };
}
