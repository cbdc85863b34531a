import { type Database, type Queryable, type Readable, type Shared, scopeOf } from './database.ts';

/** The connection of a read, which sees one state of the database. */
export interface ReadAt {
  readonly db: Readable;
  readonly shared: Shared;
  readonly nowMs: number;
}

/** The connection of a write: one transaction. */
export interface WriteAt extends ReadAt, Pick<Database, 'apart'> {
  readonly tx: Queryable;
}

type Inside<At, Promised> = Promised extends (...args: infer Args) => Promise<infer Result>
  ? (at: At, ...args: Args) => Result
  : never;

/** The read methods of a store part, as plain functions. */
export type Reads<Part> = { readonly [Name in keyof Part]?: Inside<ReadAt, Part[Name]> };
/** Methods that are one transaction each, as plain functions. */
export type Writes<Part> = { readonly [Name in keyof Part]?: Inside<WriteAt, Part[Name]> };
/** Writes that do not wait for the disk. A power loss right afterwards may lose them. */
export type Notes<Part> = Writes<Part>;

type Outside<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (at: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};

type Method<At> = (at: At, ...args: unknown[]) => unknown;
type Plain = Readonly<Record<string, (at: never, ...args: never[]) => unknown>>;

/**
 * Each read sees one state of the database; each write or note is one transaction.
 * @param reader the same database, for reads
 */
export function opener(database: Database, now: () => number, reader: Database = database) {
  const { shared } = database;
  const apart: Database['apart'] = (run) => database.apart(run);
  const inside = (method: Method<WriteAt>, args: unknown[]) => (tx: Queryable) =>
    method({ db: tx, tx, shared, nowMs: now(), apart }, ...args);
  const read = (method: Method<ReadAt>) => {
    return async (...args: unknown[]) =>
      reader.snapshot(() => method({ db: reader, shared, nowMs: now() }, ...args), { method, args });
  };
  const write = (method: Method<WriteAt>) => {
    return (...args: unknown[]) => database.transaction(inside(method, args), scopeOf(args));
  };
  const note = (method: Method<WriteAt>) => {
    return (...args: unknown[]) => database.note(inside(method, args), scopeOf(args));
  };
  const all = <At>(methods: Plain, open: (method: Method<At>) => unknown) =>
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, open(method as Method<At>)]));
  return <R extends Plain, W extends Plain, N extends Plain>(
    reads: R,
    writes: W,
    notes: N = {} as N,
  ): Outside<R> & Outside<W> & Outside<N> =>
    ({ ...all(reads, read), ...all(writes, write), ...all(notes, note) }) as Outside<R> & Outside<W> & Outside<N>;
}
