/** A text is an expression, an object or list holds rules, any other value is a constant. */
export type RowRule = string | number | boolean | null | readonly RowRule[] | { readonly [name: string]: RowRule };

export interface Field {
  readonly path: readonly string[];
  readonly text: string;
}

/** The whole rule as one expression. Parts without a value are omitted. */
export function composed(rule: RowRule): string {
  if (typeof rule === 'string') return `(${rule}\n)`;
  if (rule === null || typeof rule !== 'object') return JSON.stringify(rule);
  if (isList(rule)) return `[${rule.map(composed).join(', ')}]`;
  const parts = Object.entries(rule).map(([name, part]) => `${JSON.stringify(name)}: ${composed(part)}`);
  return `{${parts.join(', ')}}`;
}

/** The fields of a row, down to single expressions. */
export function fieldsOf(rule: RowRule, path: readonly string[] = []): Field[] {
  if (typeof rule === 'string') return [{ path, text: rule }];
  if (rule === null || typeof rule !== 'object' || isList(rule)) return [{ path, text: composed(rule) }];
  return Object.entries(rule).flatMap(([name, part]) => fieldsOf(part, [...path, name]));
}

/** Sets one field. An empty path replaces the row. */
export function withField(row: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const before = typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
  return { ...before, [name]: withField(before[name], rest, value) };
}

function isList(rule: RowRule): rule is readonly RowRule[] {
  return Array.isArray(rule);
}
