import { type Cause, cause } from '../../domain/causes/cause.ts';
import { INTENT_KINDS, type IntentKind } from '../intent-kinds.ts';
import {
  type Echoes,
  type Link,
  type Mapping,
  MappingConflict,
  type MappingKind,
  type MappingStore,
} from '../links.ts';
import { putBase } from './bases.ts';
import type { Queryable } from './database.ts';
import { and, asc, eq, getTableColumns, gt, inArray, or } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { changeBy, insertCounted, rowBy, updateWhere } from './queries.ts';
import { markLinked, releaseWaiting } from './relook.ts';
import { erpProducts } from './tables/erp.ts';
import { intents, mappings } from './tables/work.ts';

/**
 * A `create-pending` row becomes the link.
 * @param echoes what an earlier link wrote to the marketplace's entity
 * @throws MappingConflict when either is linked to another entity
 */
export function linkEntities(tx: Queryable, link: Link, nowMs: number, echoes: Echoes = {}): void {
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
    insertMapping(tx, { account, kind, ...set, echoes, createdAtMs: nowMs });
  } else {
    linkMapping(tx, { id: row.id, ...set });
  }
}

const insertMapping = insertCounted(mappings);
const linkMapping = changeBy(mappings, ['id'], ['marketplaceId', 'erpId', 'state', 'how']);
const setEchoes = changeBy(mappings, ['id'], ['echoes']);

/**
 * Linked entities are not created again.
 * @param links of one account and one kind
 */
export function settleCreates(tx: Queryable, links: readonly Link[], evidence: Cause, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  const erpIds = links.map(({ erpId }) => erpId);
  const marketplaceIds = links.map(({ marketplaceId }) => marketplaceId);
  const of = (intentKind: string, keys: string[]) => and(eq(intents.kind, intentKind), inArray(intents.key, keys));
  const kinds = (Object.keys(INTENT_KINDS) as IntentKind[]).filter((kind) => INTENT_KINDS[kind].links === first.kind);
  const theirs = or(...kinds.map((kind) => of(kind, INTENT_KINDS[kind].madeOn === 'erp' ? marketplaceIds : erpIds)));
  const isOpen = inArray(intents.state, ['open', 'in-doubt', 'dropped']);
  const set = { state: 'applied', settledAtMs: nowMs, evidence } as const;
  updateWhere(tx, intents, set, and(eq(intents.account, first.account), theirs, isOpen));
  releaseWaiting(tx, first.account, kinds);
}

/** Why the link conflicts with a mapping that has one of its ids; null: it does not. */
export function conflictWith(found: Mapping, link: Link): MappingConflict | null {
  const { marketplaceId, erpId } = found;
  const fits = (one: string | null, other: string) => one === null || one === other;
  if (fits(marketplaceId, link.marketplaceId) && fits(erpId, link.erpId)) return null;
  return new MappingConflict(
    cause('ids-linked-otherwise', {
      kind: link.kind,
      ids: [link.marketplaceId, link.erpId],
      linked: [String(marketplaceId), String(erpId)],
    }),
  );
}

export const findByMarketplaceId = rowBy(mappings, 'account', 'kind', 'marketplaceId');
export const findByErpId = rowBy(mappings, 'account', 'kind', 'erpId');

const of = (account: string, kind: MappingKind) => and(eq(mappings.account, account), eq(mappings.kind, kind));

export const mappingReads = {
  byMarketplaceId({ db }, account, kind, marketplaceId) {
    return findByMarketplaceId(db, { account, kind, marketplaceId }) ?? null;
  },

  byErpId({ db }, account, kind, erpId) {
    return findByErpId(db, { account, kind, erpId }) ?? null;
  },

  linkedTo({ db }, account, kind, erpId) {
    const found = findByErpId(db, { account, kind, erpId });
    return found?.state === 'linked' ? found.marketplaceId : null;
  },

  list({ db }, account, kind, afterId, limit) {
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
} satisfies Reads<MappingStore>;

export const mappingWrites = {
  link({ tx, nowMs }, link) {
    linkEntities(tx, link, nowMs);
    settleCreates(tx, [link], cause('linked', { how: link.how }), nowMs);
    markLinked(tx, [link], `linked (${link.how})`, nowMs);
  },

  follow({ tx, nowMs }, link, record) {
    const { account, kind, marketplaceId } = link;
    const before = findByMarketplaceId(tx, { account, kind, marketplaceId });
    if (before !== undefined) tx.delete(mappings).where(eq(mappings.id, before.id)).run();
    linkEntities(tx, link, nowMs);
    putBase(tx, { account, number: marketplaceId, record });
    markLinked(tx, [link], `linked (${link.how})`, nowMs);
  },

  saveEchoes({ tx }, id, echoes) {
    setEchoes(tx, { id, echoes });
  },
} satisfies Writes<MappingStore>;
