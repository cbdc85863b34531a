import { CallFailure } from '../../src/domain/failure.ts';
import type { KeysetPage } from '../../src/marketplace/keyset-page.ts';

export interface Item {
  readonly id: number;
  readonly modified: string;
}

/** A change of the collection between two answers. `pick` chooses a row. */
export type Change =
  | { readonly kind: 'tick' }
  | { readonly kind: 'insert' }
  | { readonly kind: 'late'; readonly back: number }
  | { readonly kind: 'touch'; readonly pick: number; readonly rows: number }
  | { readonly kind: 'remove'; readonly pick: number };

export interface Habits {
  readonly rowsPerPage: number;
  /** The order of rows with the same instant. */
  readonly ties: 'by-id' | 'last-touched-first';
  readonly ordering: 'obeyed' | 'ignored';
  readonly filter: 'obeyed' | 'ignored' | 'whole-seconds';
}

/** A list on a server whose rows change while they are read. Time is counted in ticks of 100 ms. */
export function createCollection(habits: Habits) {
  let tick = 100;
  let lastId = 0;
  let touches = 0;
  const rows = new Map<number, { tick: number; touch: number; late: boolean }>();
  const put = (id: number, at: number, late: boolean) => rows.set(id, { tick: at, touch: ++touches, late });
  const pickFrom = (pick: number) => [...rows.keys()].sort((a, b) => a - b)[pick % Math.max(1, rows.size)];

  function change(what: Change): void {
    if (what.kind === 'tick') tick += 1;
    if (what.kind === 'insert') put(++lastId, tick, false);
    if (what.kind === 'late') put(++lastId, tick - what.back, true);
    if (what.kind === 'touch') {
      for (let row = 0; row < what.rows; row++) {
        const id = pickFrom(what.pick + row);
        if (id !== undefined) put(id, tick, false);
      }
    }
    if (what.kind === 'remove') rows.delete(pickFrom(what.pick) ?? 0);
  }

  function answer({ from, page }: { from: string | null; page: number }): KeysetPage {
    const least = habits.filter === 'whole-seconds' && from !== null ? `${from.slice(0, 19)}.000000Z` : from;
    const passed = [...rows.entries()].filter(
      ([, row]) => least === null || habits.filter === 'ignored' || instantOf(row.tick) >= least,
    );
    passed.sort(([aId, a], [bId, b]) => {
      if (habits.ordering === 'ignored') return aId - bId;
      return a.tick - b.tick || (habits.ties === 'by-id' ? aId - bId : b.touch - a.touch);
    });
    const start = (page - 1) * habits.rowsPerPage;
    const raw = passed.slice(start, start + habits.rowsPerPage).map(([id, row]) => itemOf(id, row.tick));
    if (page > 1 && raw.length === 0) throw beyondLast();
    return { raw, count: passed.length, more: start + raw.length < passed.length };
  }

  return {
    change,
    answer,
    /** Rows as they are now; `late` ones became visible with an instant of the past. */
    now: () => [...rows.entries()].map(([id, row]) => ({ ...itemOf(id, row.tick), late: row.late })),
  };
}

function itemOf(id: number, tick: number): Item {
  return { id, modified: instantOf(tick) };
}

export function instantOf(tick: number): string {
  return new Date(Date.UTC(2030, 0, 1) + tick * 100).toISOString().replace('Z', '000Z');
}

function beyondLast(): CallFailure {
  return new CallFailure('Invalid page.', {
    side: 'marketplace',
    kind: 'not-found',
    outcome: 'not-applied',
    status: 404,
  });
}
