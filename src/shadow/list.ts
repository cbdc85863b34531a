import { instantNs } from '../domain/instant.ts';
import { decimalText } from '../http/json.ts';

const PAGE_SIZE = 500;

export function listQuery(page: number, ordering: string) {
  return { ordering, page, page_size: PAGE_SIZE };
}

/** A field of a row that need not fit, as text; null where there is none. */
export function fieldOf(row: unknown, name: string): string | null {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return null;
  return decimalText((row as Record<string, unknown>)[name]);
}

/** A field that is an instant, as sent; null where it is missing or none. */
export function instantField(row: unknown, name: string): string | null {
  const text = fieldOf(row, name);
  return text === null || instantNs(text) === null ? null : text;
}
