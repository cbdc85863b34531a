import type { Known } from './laws.ts';
import { createPairs } from './pairs.ts';
import type { Request, Sides } from './sides.ts';

type Side = 'marketplace' | 'erp';
/** An order that is gone is over. */
type Phase = 'open' | 'done' | 'over';
type Phases = ReadonlyMap<string, Readonly<Record<Side, Phase | null>>>;

interface Move {
  readonly from: Phase;
  readonly to: Phase;
  readonly atMs: number;
  /** When people had moved it to where this move began; null: they had not. */
  readonly sinceMs: number | null;
}

const READ_OF: Readonly<Record<Side, keyof Known>> = { marketplace: 'orders', erp: 'erp-orders' };
const OTHER: Readonly<Record<Side, Side>> = { marketplace: 'erp', erp: 'marketplace' };
const OVER = new Set(['Rejected', 'Canceled', 'cancelled']);
const DONE = new Set(['Shipped', 'Complete', 'shipped']);

/**
 * I16 of statuses: when people have moved an order back on a side, and the program has read it, no write of the program moves it
 * forward again on that side, unless people have moved the other side there since. Where no read came between a move and the move
 * back, neither can be known. Judged from both sides' own books.
 */
export function createStatusesLaw(sides: Sides, broken: string[], nowMs: () => number) {
  const pairOf = createPairs();
  const moves: Record<Side, Map<string, Move>> = { marketplace: new Map(), erp: new Map() };
  const reads: Record<Side, number[]> = { marketplace: [], erp: [] };
  let before: Phases = new Map();

  const wasSeen = (side: Side, { sinceMs, atMs }: Move) =>
    sinceMs === null || reads[side].some((readMs) => readMs >= sinceMs && readMs <= atMs);
  const look = (): Phases => {
    const all = sides.erp.books.orderList({ limit: '1000' }, null).items;
    const found = new Map<string, Record<Side, Phase | null>>();
    for (const order of sides.marketplace.orderContents()) {
      const erp = pairOf(all, order)?.status;
      found.set(order.number, { marketplace: phaseOf(order.status), erp: erp === undefined ? null : phaseOf(erp) });
    }
    // An order that is gone is over. An order that was never there has no phase.
    for (const [number, was] of before) {
      const now = found.get(number) ?? { marketplace: 'over', erp: was.erp };
      found.set(number, { ...now, erp: now.erp ?? (was.erp === null ? null : 'over') });
    }
    return found;
  };
  const changesOf = (now: Phases, side: Side) =>
    [...now].flatMap(([number, phases]) => {
      const [from, to] = [before.get(number)?.[side] ?? null, phases[side]];
      return from === null || to === null || from === to ? [] : [{ number, from, to }];
    });

  return {
    /** To be called after people did something. */
    note(): void {
      const now = look();
      for (const side of ['marketplace', 'erp'] as const)
        for (const { number, from, to } of changesOf(now, side)) {
          const last = moves[side].get(number);
          moves[side].set(number, { from, to, atMs: nowMs(), sinceMs: last?.to === from ? last.atMs : null });
        }
      before = now;
    },
    /** To be called when an answer was heeded. A read of any order counts, which is the strict side. */
    wasRead(side: Side, { method, target }: Request, atMs: number): void {
      if (method === 'GET' && target.includes(side === 'erp' ? '/v1/orders' : '/orders-received/'))
        reads[side].push(atMs);
    },
    /** To be called after a write of the program was applied. */
    judge(side: Side, sent: Known): void {
      const now = look();
      for (const { number, from, to } of changesOf(now, side)) {
        const mine = moves[side].get(number);
        const theirs = moves[OTHER[side]].get(number);
        const isMovedBack = mine?.from === 'over' || (mine?.from === 'done' && mine.to === 'open');
        if (mine === undefined || !isMovedBack || mine.from !== to || mine.atMs >= sent[READ_OF[side]]) continue;
        if (!wasSeen(side, mine)) continue;
        if (theirs?.to === to && theirs.atMs >= mine.atMs) continue;
        broken.push(
          `I16: people moved order ${number} back to ${from} on the side of ${side}, and it was set to ${to}`,
        );
      }
      before = now;
    },
  };
}

function phaseOf(status: string): Phase {
  if (OVER.has(status)) return 'over';
  return DONE.has(status) ? 'done' : 'open';
}
