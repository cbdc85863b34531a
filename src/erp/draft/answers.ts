import type { Endpoint, RestSource } from './rest-source.ts';
import { BOUNDS, type Collection } from './shape.ts';
import { fieldsSeen, isObject } from './values.ts';

/** Reads sample JSON answers of an interface. Pure. */

export interface Answer {
  /** The file's name without its ending: `products`. */
  readonly name: string;
  readonly body: unknown;
}

export function answersSource(answers: readonly Answer[], cut: readonly string[] = []): RestSource {
  return {
    what: `${answers.length === 1 ? 'a sample answer' : 'sample answers'} in JSON`,
    url: null,
    auth: null,
    ping: null,
    cut,
    collections: answers.flatMap(collectionOf),
  };
}

function collectionOf({ name, body }: Answer): Collection<Endpoint>[] {
  const found = rowsIn(body);
  if (found === null) return [];
  const rows = found.rows.slice(0, BOUNDS.rows);
  const beside = isObject(body) ? fieldsSeen([body]).filter(({ type }) => type !== 'list') : [];
  const place: Endpoint = {
    path: `/${name}`,
    items: found.path,
    params: [],
    answer: beside,
    query: null,
    byId: null,
    missing: null,
    writes: [],
  };
  return [{ name, shown: `${name}.json`, fields: fieldsSeen(rows), rows: rows.length, place }];
}

/** The outermost list of objects and its place. An object whose values are objects counts as a list. */
export function rowsIn(body: unknown): { readonly path: string | null; readonly rows: readonly unknown[] } | null {
  let level: (readonly [path: string, value: unknown])[] = [['', body]];
  for (let depth = 0; depth < BOUNDS.depth; depth += 1) {
    for (const [path, value] of level) {
      if (Array.isArray(value) && isObject(value[0]))
        return { path: path === '' ? null : path, rows: value as unknown[] };
      const keyed = isObject(value) ? Object.entries(value) : [];
      const isKeyed = keyed.length > 0 && keyed.every(([key, part]) => /\d/.test(key) && isObject(part));
      if (path !== '' && isKeyed) return { path: `${path}.*`, rows: keyed.map(([, part]) => part) };
    }
    level = level.flatMap(([path, value]) =>
      Object.entries(isObject(value) ? value : {})
        .filter(([name]) => /^[A-Za-z_][\w-]*$/.test(name))
        .slice(0, 50)
        .map(([name, part]) => [path === '' ? name : `${path}.${name}`, part] as const),
    );
  }
  return null;
}
