import type { Disk } from './disk.ts';

/** The program's records of its writes. */
export function journalOf(disk: Disk, startMs: number): string[] {
  const rows = disk
    .prepare<[], Record<string, unknown>>(
      'SELECT at_ms, flow, key, action, before, after, outcome, why FROM journal ORDER BY id',
    )
    .all();
  return rows.map(({ at_ms, ...row }) => {
    const seconds = ((Number(at_ms) - startMs) / 1_000).toFixed(3).padStart(8);
    return `${seconds}  on record: ${Object.values(row).join(' | ')}`;
  });
}

/** A write of the program by its journal, also one that the other side refused. */
export interface Written {
  readonly id: number;
  readonly flow: string;
  readonly key: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly outcome: string;
  readonly answer: string;
}

/** @param id the id of the last entry that is left out */
export function writesAfter(disk: Disk, id: number): Written[] {
  const rows = disk
    .prepare<[number], Written>(
      "SELECT id, flow, key, action, target, before, after, outcome, answer FROM journal WHERE id > ? AND outcome IN ('written', 'refused') ORDER BY id",
    )
    .all(id);
  return rows.filter(({ answer }) => !answer.startsWith('adopted '));
}

/** The listings whose link has moved to another id. */
export function relinkedIn(disk: Disk): string[] {
  const rows = disk
    .prepare<[], { target: string }>(
      "SELECT target FROM journal WHERE action LIKE 'product.relink%' AND outcome IN ('written', 'noted') ORDER BY id",
    )
    .all();
  return rows.map(({ target }) => target);
}

/** The words of every alert that the program has told. */
export function alertsIn(disk: Disk): string[] {
  const rows = disk.prepare<[], { why: string }>("SELECT why FROM journal WHERE action = 'alert' ORDER BY id").all();
  return rows.map(({ why }) => why);
}
