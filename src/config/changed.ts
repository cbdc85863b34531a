import { isDeepStrictEqual } from 'node:util';
import { dotted, type Path } from './path.ts';

/**
 * A part that only one configuration has is one name.
 * @param most the most names returned
 */
export function changedSettings(before: unknown, after: unknown, most: number): string[] {
  const found: string[] = [];
  const compare = (one: unknown, other: unknown, path: Path): void => {
    if (found.length >= most || isDeepStrictEqual(one, other)) return;
    if (!isSection(one) || !isSection(other)) {
      found.push(dotted(path));
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      compare(one[key], other[key], [...path, key]);
  };
  compare(before, after, []);
  return found;
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
