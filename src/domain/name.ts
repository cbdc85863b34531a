/** A name as it is compared: upper and lower case, and how many spaces there are, mean nothing. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
