const UNITS = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** In the largest unit that fits: `3 min`, `2 d`. */
export function ageText(ms: number): string {
  const [name, unit] = UNITS.find(([, length]) => ms >= length) ?? ['s', 1_000];
  return `${Math.floor(ms / unit)} ${name}`;
}
