import { isTouching, merged } from '../../domain/coverage.ts';
import { type CursorStore, type FactStore, intervalOf, type Window } from '../reading.ts';
import type { Queryable } from './database.ts';
import { and, desc, eq, sql } from './orm.ts';
import type { Notes, Reads, Writes } from './part.ts';
import {
  built,
  conflictKey,
  deleteBy,
  insertCounted,
  matching,
  prepared,
  putInto,
  rowBy,
  rowsBy,
  selecting,
} from './queries.ts';
import { coverage, cursors, facts } from './tables/reading.ts';

/** With more holes than this, holes are merged. Reading the same time twice is safe. */
const INTERVALS_KEPT = 200;

export const findCursor = rowBy(cursors, 'account', 'collection');
const putCursor = putInto(cursors, 'account', 'collection');
const dropCursor = deleteBy(cursors, 'account', 'collection');
const insertCoverage = insertCounted(coverage);
const deleteCoverage = deleteBy(coverage, 'id');
const findCoverage = rowsBy(coverage, ['account', 'collection'], { order: [desc(coverage.id)] });

const findCollections = built((db) =>
  db
    .selectDistinct({ collection: coverage.collection })
    .from(coverage)
    .where(eq(coverage.account, sql.placeholder('account')))
    .orderBy(coverage.collection)
    .prepare(),
);

export function recordWindow(tx: Queryable, window: Window, nowMs: number): void {
  const { account, collection, cursor } = window;
  if (cursor !== null) putCursor(tx, { account, collection, value: cursor, updatedAtMs: nowMs });
  cover(tx, window, nowMs);
}

/** Adjacent windows are merged. A gap between two windows is a hole. */
function cover(tx: Queryable, { account, collection, from, to, rows, finding }: Window, nowMs: number): void {
  const windows = findCoverage(tx, { account, collection });
  const [fresh] = merged([{ from, to }]);
  if (fresh === undefined) return;
  const touching = windows.filter((row) => isTouching(intervalOf(row), fresh));
  const [whole = fresh] = merged([fresh, ...touching.map(intervalOf)]);
  const rowsRead = touching.reduce((total, row) => total + row.rows, rows);
  for (const { id } of [...touching, ...windows.slice(INTERVALS_KEPT)]) deleteCoverage(tx, { id });
  const ends = { fromInstant: whole.from, toInstant: whole.to };
  insertCoverage(tx, { account, collection, ...ends, rows: rowsRead, finding, readAtMs: nowMs });
}

const countTick = prepared((db) =>
  db
    .insert(facts)
    .values({ account: sql.placeholder('account'), name: 'tick', value: '1', updatedAtMs: 0 })
    .onConflictDoUpdate({
      target: conflictKey(facts.account, facts.name),
      set: { value: sql`cast(cast(${facts.value} as bigint) + 1 as text)` },
    })
    .returning({ value: facts.value }),
);

/** The installation's counter of reads (tick). It orders observations without a clock. */
export function nextTick(tx: Queryable, account: string): number {
  const { value } = countTick(tx).get({ account }) as { readonly value: string };
  return Number(value);
}

export const cursorReads = {
  get({ db }, account, collection) {
    return findCursor(db, { account, collection }) ?? null;
  },

  all({ db }) {
    return db.select().from(cursors).all();
  },

  windows({ db }, account, collection) {
    return findCoverage(db, { account, collection });
  },

  collections({ db }, account) {
    return findCollections(db)
      .all({ account })
      .map((row) => row.collection);
  },
} satisfies Reads<CursorStore>;

export function forgetCursor(tx: Queryable, account: string, collection: string): void {
  dropCursor(tx, { account, collection });
  for (const { id } of findCoverage(tx, { account, collection })) deleteCoverage(tx, { id });
}

export const cursorWrites = {
  record({ tx, nowMs }, window) {
    recordWindow(tx, window, nowMs);
  },

  forget({ tx }, account, collection) {
    forgetCursor(tx, account, collection);
  },
} satisfies Writes<CursorStore>;

export const cursorNotes = {
  tick({ tx }, account) {
    return nextTick(tx, account);
  },
} satisfies Notes<CursorStore>;

export const findFact = rowBy(facts, 'account', 'name');
/** `names` is JSON. */
export const findFacts = selecting({ name: facts.name, value: facts.value }, (db, fields) => {
  const isNamed = sql`${facts.name} in (select value from json_each(${sql.placeholder('names')}))`;
  return db
    .select(fields)
    .from(facts)
    .where(and(matching(facts, 'account'), isNamed));
});
const findNamed = selecting({ account: facts.account, value: facts.value }, (db, fields) =>
  db.select(fields).from(facts).where(matching(facts, 'name')),
);
export const putFact = putInto(facts, 'account', 'name');
export const deleteFact = deleteBy(facts, 'account', 'name');

export const factReads = {
  get({ db }, account, name) {
    return findFact(db, { account, name })?.value ?? null;
  },

  startingWith({ db }, account, prefix) {
    return db
      .select({ name: facts.name, value: facts.value })
      .from(facts)
      .where(and(eq(facts.account, account), sql`substr(${facts.name}, 1, ${prefix.length}) = ${prefix}`))
      .all();
  },

  named({ db }, name) {
    return findNamed(db).all({ name });
  },
} satisfies Reads<FactStore>;

export const factWrites = {
  set({ tx, nowMs }, account, name, value) {
    putFact(tx, { account, name, value, updatedAtMs: nowMs });
  },

  clear({ tx }, account, name) {
    deleteFact(tx, { account, name });
  },
} satisfies Writes<FactStore>;
