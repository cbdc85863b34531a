import { nameKey } from '../../domain/name.ts';
import type { Named, NameKind, NameStore } from '../marketplace.ts';
import { saveUnstored } from './invalid-rows.ts';
import { and, asc, eq, gte, lt } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { deleteWhere, inParts, putInto, rowsWhere } from './queries.ts';
import { storeRows } from './row-by-row.ts';
import { names } from './tables/marketplace.ts';
import { invalidRows } from './tables/reading.ts';

const MAX_ALIKE = 20;

const shown = { id: names.id, name: names.name, parentId: names.parentId };
const ofKind = (account: string, kind: NameKind) => and(eq(names.account, account), eq(names.kind, kind));
const rowOf = (account: string, kind: NameKind, { id, name, parentId }: Named) => {
  return { account, kind, id, name, nameKey: nameKey(String(name)), parentId };
};
const putName = putInto(names, 'account', 'kind', 'id');

export const nameReads = {
  find({ db }, account, kind, name) {
    return db
      .select(shown)
      .from(names)
      .where(and(ofKind(account, kind), eq(names.nameKey, nameKey(name))))
      .orderBy(asc(names.id))
      .limit(MAX_ALIKE)
      .all();
  },

  list({ db }, account, kind, limit) {
    return db
      .select(shown)
      .from(names)
      .where(ofKind(account, kind))
      .orderBy(asc(names.nameKey), asc(names.id))
      .limit(limit)
      .all();
  },
} satisfies Reads<NameStore>;

export const nameWrites = {
  replace(at, account, kind, all) {
    const { tx } = at;
    const rows = all.map((named) => rowOf(account, kind, named)).toSorted((a, b) => a.id - b.id);
    const { collection, what } = invalidRows;
    const ofThisKind = and(gte(what, `${kind} `), lt(what, `${kind} \u{10ffff}`));
    deleteWhere(tx, invalidRows, and(eq(invalidRows.account, account), eq(collection, 'names'), ofThisKind));
    const before = rowsWhere(tx, names, ofKind(account, kind), { order: [asc(names.id)] });
    if (JSON.stringify(before) === JSON.stringify(rows)) return false;
    tx.delete(names).where(ofKind(account, kind)).run();
    storeRows(at, rows, {
      store(some) {
        for (const part of inParts(some)) tx.insert(names).values(part).run();
        return some;
      },
      setAside: ({ id }, problem) => saveUnstored(at, account, 'names', `${kind} ${id}`, problem),
    });
    return true;
  },

  add({ tx }, account, kind, named) {
    putName(tx, rowOf(account, kind, named));
  },
} satisfies Writes<NameStore>;
