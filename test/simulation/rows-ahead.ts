import { instantNs } from '../../src/domain/instant.ts';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import type { SideName } from './network.ts';
import type { ClockOffsets, Reply, Request } from './sides.ts';

const CURSORS = 'SELECT collection, value FROM cursors';
/** The stamps of a row: when it changed, or when it had this state. */
const STAMP = /"(modified|changed_at|as_of)":\s*"[^"]+"/g;
/** A bound on the differences between clocks and on the time of an answer on its way. */
const TOLERANCE_MS = 60_000;
const MAX_TIMES = 3;

/**
 * Answers in which one stamp lies in the future of the side that names it, and the law about them (I8): no cursor ever passes
 * the clock of its side by more than this bound.
 */
export function createRowsAhead(disk: Disk, clock: Clock, { marketplaceMs, erpMs }: ClockOffsets, broken: string[]) {
  const cursors = disk.prepare<[], { collection: string; value: string }>(CURSORS);
  const armed: { side: SideName; stamp: string; luck: Chance }[] = [];
  const clockOf = (side: SideName) => clock.nowMs() + (side === 'erp' ? erpMs : marketplaceMs);

  return {
    /** Puts one such stamp in each of the next answers of a side that have stamps. Returns the words for it. */
    arm(luck: Chance): string {
      const side = luck.pick(['marketplace', 'erp']);
      const stamp = luck.pick(['9999-12-31T23:59:59Z', new Date(clockOf(side) + 26 * 3_600_000).toISOString()]);
      for (let times = luck.whole(1, MAX_TIMES); times > 0; times -= 1) armed.push({ side, stamp, luck });
      return `${side}: ${armed.length} answers with a row of ${stamp}`;
    },
    disarm(): void {
      armed.length = 0;
    },
    /** Changes an answer on its way. */
    told(side: SideName, { method }: Request, reply: Reply): Reply {
      const next = armed.findIndex((one) => one.side === side);
      const { stamp, luck } = armed[next] ?? {};
      const stamps = method === 'GET' && reply.status === 200 ? [...reply.body.matchAll(STAMP)] : [];
      if (stamp === undefined || luck === undefined || stamps.length === 0) return reply;
      armed.splice(next, 1);
      const { index, 0: whole, 1: name } = luck.pick(stamps as [RegExpExecArray, ...RegExpExecArray[]]);
      const body = `${reply.body.slice(0, index)}"${name}":"${stamp}"${reply.body.slice(index + whole.length)}`;
      return { ...reply, body, untrue: true };
    },
    /** Judges at any moment. */
    judge(): void {
      for (const { collection, value } of cursors.all()) {
        const most = clockOf(collection.startsWith('erp-') ? 'erp' : 'marketplace') + TOLERANCE_MS;
        const ns = instantNs(value);
        if (ns !== null && ns > BigInt(most) * 1_000_000n)
          broken.push(
            `I8: the cursor of ${collection} is ${value}, and there it is ${new Date(most).toISOString()} at most`,
          );
      }
    },
  };
}
