/** An instant for a person, to the second, in UTC: `2026-01-31 09:30:00Z`. */
export function shownInstant(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}
