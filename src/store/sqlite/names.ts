import { nameKey } from '../../domain/name.ts';
import type { Database } from './database.ts';
import { and, asc, eq } from './orm.ts';
import { names } from './tables/marketplace.ts';

type NameRow = typeof names.$inferSelect;
export type NameKind = NameRow['kind'];

/** Something that the marketplace has a name for. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** What it belongs to: the category of a sub-category, the brand of a product line; null where that is not shown. */
  readonly parentId: number | null;
}

const MAX_ALIKE = 20;
const ROWS_AT_ONCE = 500;

export function nameStore(db: Database) {
  const ofKind = (account: string, kind: NameKind) => and(eq(names.account, account), eq(names.kind, kind));
  const rowOf = (account: string, kind: NameKind, { id, name, parentId }: Named): NameRow => ({
    account,
    kind,
    id,
    name,
    nameKey: nameKey(name),
    parentId,
  });
  return {
    /** A list that was read whole takes the place of the one before; true when they differ. */
    async replace(account: string, kind: NameKind, all: readonly Named[]): Promise<boolean> {
      const rows = all.map((named) => rowOf(account, kind, named)).toSorted((a, b) => a.id - b.id);
      return db.transaction((tx) => {
        const before = tx.select().from(names).where(ofKind(account, kind)).orderBy(asc(names.id)).all();
        if (JSON.stringify(before) === JSON.stringify(rows)) return false;
        tx.delete(names).where(ofKind(account, kind)).run();
        for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
          tx.insert(names)
            .values(rows.slice(at, at + ROWS_AT_ONCE))
            .run();
        return true;
      });
    },

    async add(account: string, kind: NameKind, named: Named): Promise<void> {
      const row = rowOf(account, kind, named);
      const target = [names.account, names.kind, names.id];
      await db.transaction((tx) => tx.insert(names).values(row).onConflictDoUpdate({ target, set: row }).run());
    },

    /** What has this name, however it is spelled. */
    async find(account: string, kind: NameKind, name: string): Promise<Named[]> {
      return db
        .select({ id: names.id, name: names.name, parentId: names.parentId })
        .from(names)
        .where(and(ofKind(account, kind), eq(names.nameKey, nameKey(name))))
        .orderBy(asc(names.id))
        .limit(MAX_ALIKE)
        .all();
    },

    async list(account: string, kind: NameKind, limit: number): Promise<Named[]> {
      return db
        .select({ id: names.id, name: names.name, parentId: names.parentId })
        .from(names)
        .where(ofKind(account, kind))
        .orderBy(asc(names.nameKey), asc(names.id))
        .limit(limit)
        .all();
    },
  };
}
