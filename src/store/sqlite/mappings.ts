import type { Database, Queryable } from './database.ts';
import { and, asc, eq, getTableColumns, gt, sql } from './orm.ts';
import { built, insertInto, rowBy } from './queries.ts';
import { markLinked } from './relook.ts';
import { settleCreates } from './settle-creates.ts';
import { erpProducts } from './tables/erp.ts';
import { mappings } from './tables/work.ts';

export type Mapping = typeof mappings.$inferSelect;
export type MappingKind = Mapping['kind'];
export type ListedMapping = Mapping & { readonly sku: string | null };

/** What is linked already stands in the way; the message names both. */
export class MappingConflict extends Error {
  override readonly name = 'MappingConflict';
}

export interface Link {
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string;
  readonly how: string;
}

/**
 * Links the two, in the caller's transaction; a `create-pending` row of the same entity becomes this link.
 * @throws MappingConflict when one of them is linked to another already.
 */
export function linkEntities(tx: Queryable, link: Link, nowMs: number): void {
  const { account, kind, marketplaceId, erpId } = link;
  const byMarketplace = findByMarketplaceId(tx, { account, kind, marketplaceId });
  const byErp = findByErpId(tx, { account, kind, erpId });
  for (const found of [byMarketplace, byErp]) {
    const conflict = found === undefined ? null : conflictWith(found, link);
    if (conflict !== null) throw conflict;
  }
  const row = byErp ?? byMarketplace;
  const set = { marketplaceId, erpId, state: 'linked', how: link.how } as const;
  if (byErp !== undefined && byMarketplace !== undefined && byErp.id !== byMarketplace.id) {
    tx.delete(mappings).where(eq(mappings.id, byMarketplace.id)).run();
  }
  if (row === undefined) {
    insertMapping(tx, { account, kind, ...set, echoes: '{}', createdAtMs: nowMs });
  } else {
    linkMapping(tx).run({ id: row.id, ...set });
  }
}

const insertMapping = insertInto(mappings);
const isOne = eq(mappings.id, sql.placeholder('id'));
const linkMapping = built((db) => {
  const ids = {
    marketplaceId: sql`${sql.placeholder('marketplaceId')}`,
    erpId: sql`${sql.placeholder('erpId')}`,
  };
  const how = { state: sql`${sql.placeholder('state')}`, how: sql`${sql.placeholder('how')}` };
  return db
    .update(mappings)
    .set({ ...ids, ...how })
    .where(isOne)
    .prepare();
});
const setEchoes = built((db) =>
  db
    .update(mappings)
    .set({ echoes: sql`${sql.placeholder('echoes')}` })
    .where(isOne)
    .prepare(),
);

/** Why this link cannot be beside what was found under one of its ids, null when it can. */
export function conflictWith(found: Mapping, link: Link): MappingConflict | null {
  const { marketplaceId, erpId } = found;
  const fits = (one: string | null, other: string) => one === null || one === other;
  if (fits(marketplaceId, link.marketplaceId) && fits(erpId, link.erpId)) return null;
  return new MappingConflict(
    `${link.kind} ${link.marketplaceId} of the marketplace and ${link.erpId} of the ERP cannot be linked: ${marketplaceId} and ${erpId} are linked already. If that is wrong, "stockbridge map link" with --replace takes its place.`,
  );
}

export const findByMarketplaceId = rowBy(mappings, 'account', 'kind', 'marketplaceId');
export const findByErpId = rowBy(mappings, 'account', 'kind', 'erpId');

export function mappingStore(db: Database, now: () => number) {
  const of = (account: string, kind: MappingKind) => and(eq(mappings.account, account), eq(mappings.kind, kind));
  return {
    async byMarketplaceId(account: string, kind: MappingKind, marketplaceId: string): Promise<Mapping | null> {
      return findByMarketplaceId(db, { account, kind, marketplaceId }) ?? null;
    },

    async byErpId(account: string, kind: MappingKind, erpId: string): Promise<Mapping | null> {
      return findByErpId(db, { account, kind, erpId }) ?? null;
    },

    /** The marketplace's id of what this entity of the ERP is linked to. */
    async linkedTo(account: string, kind: MappingKind, erpId: string): Promise<string | null> {
      const found = findByErpId(db, { account, kind, erpId });
      return found?.state === 'linked' ? found.marketplaceId : null;
    },

    /** Links, settles a create of theirs whose outcome was not known, and has both sides of the entity looked at. */
    async link(link: Link): Promise<void> {
      await db.transaction((tx) => {
        linkEntities(tx, link, now());
        settleCreates(tx, [link], `linked by ${link.how}`, now());
        markLinked(tx, [link], `linked (${link.how})`, now());
      });
    },

    async saveEchoes(id: number, echoes: string): Promise<void> {
      await db.transaction((tx) => setEchoes(tx).run({ id, echoes }));
    },

    /** In the order of their making; with the SKU that the ERP has for a product. */
    async list(account: string, kind: MappingKind, afterId: number, limit: number): Promise<ListedMapping[]> {
      return db
        .select({ ...getTableColumns(mappings), sku: erpProducts.sku })
        .from(mappings)
        .leftJoin(erpProducts, and(eq(erpProducts.account, mappings.account), eq(erpProducts.id, mappings.erpId)))
        .where(and(of(account, kind), gt(mappings.id, afterId)))
        .orderBy(asc(mappings.id))
        .limit(limit)
        .all()
        .map((row) => (kind === 'product' ? row : { ...row, sku: null }));
    },
  };
}
