/** The form of a name that is compared. The case of letters and the number of spaces do not count. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
