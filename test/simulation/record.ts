import type { Disk } from './bridge.ts';

/** What the program has on record of its writes. */
export function journalOf({ sqlite }: Disk, startMs: number): string[] {
  const rows = sqlite
    .prepare('SELECT at_ms, flow, key, action, before, after, outcome, why FROM journal ORDER BY id')
    .all();
  return (rows as Record<string, unknown>[]).map(({ at_ms, ...row }) => {
    const seconds = ((Number(at_ms) - startMs) / 1_000).toFixed(3).padStart(8);
    return `${seconds}  on record: ${Object.values(row).join(' | ')}`;
  });
}
