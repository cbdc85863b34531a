import { and, eq, inArray, or } from 'drizzle-orm';
import type { Database, Queryable } from './database.ts';
import { addAct } from './journal.ts';
import { type Link, linkEntities, type Mapping, MappingConflict } from './mappings.ts';
import { markLinked } from './relook.ts';
import { intents, mappings } from './schema.ts';

export interface NewLink extends Link {
  /** Epoch milliseconds; null: now. */
  readonly createdAtMs: number | null;
}

export interface LinkedAll {
  readonly linked: number;
  /** Linked like that already. */
  readonly unchanged: number;
  /** What stands in the way of the link at this index. Nothing was linked when there is one. */
  readonly conflicts: readonly { readonly index: number; readonly message: string }[];
}

/** What an operator says of which belongs to which. Every act is journaled, and has both sides looked at. */
export function linkStore(db: Database, now: () => number) {
  return {
    /**
     * Links the two, and settles a create of theirs that is in doubt. With `replace`, what stands in the way goes.
     * @throws MappingConflict
     */
    async link(link: Link, replace: boolean, by: string): Promise<'linked' | 'unchanged'> {
      return db.transaction((tx) => {
        if (isLinked(tx, link)) return 'unchanged';
        if (replace) for (const found of inTheWay(tx, link)) remove(tx, found, by, now());
        linkByHand(tx, { ...link, createdAtMs: null }, by, now());
        return 'linked';
      });
    },

    /** All or nothing; `keep: false` only tells what would become of it. */
    async linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll> {
      const result = { linked: 0, unchanged: 0, conflicts: [] as { index: number; message: string }[] };
      try {
        db.transaction((tx) => {
          for (const [index, link] of links.entries()) {
            const outcome = tryLink(tx, link, by, now());
            if (outcome === 'linked' || outcome === 'unchanged') result[outcome] += 1;
            else result.conflicts.push({ index, message: outcome.message });
          }
          if (!keep || result.conflicts.length > 0) throw new Undone();
        });
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
      return result;
    },

    async unlink(mapping: Mapping, by: string): Promise<void> {
      db.transaction((tx) => {
        remove(tx, mapping, by, now());
        markLinked(tx, mapping, 'unlinked by an operator', now());
      });
    },
  };
}

/** Takes back a transaction whose result is known. */
class Undone extends Error {}

function tryLink(tx: Queryable, link: NewLink, by: string, nowMs: number): 'linked' | 'unchanged' | MappingConflict {
  if (isLinked(tx, link)) return 'unchanged';
  try {
    linkByHand(tx, link, by, nowMs);
    return 'linked';
  } catch (error) {
    if (error instanceof MappingConflict) return error;
    throw error;
  }
}

function linkByHand(tx: Queryable, link: NewLink, by: string, nowMs: number): void {
  linkEntities(tx, link, link.createdAtMs ?? nowMs);
  tx.update(intents)
    .set({ state: 'applied', settledAtMs: nowMs, evidence: `linked by ${by}` })
    .where(and(eq(intents.account, link.account), createsOf(link), inArray(intents.state, ['open', 'in-doubt'])))
    .run();
  markLinked(tx, link, `linked (${link.how})`, nowMs);
  const after = `marketplace ${link.marketplaceId} - ERP ${link.erpId}`;
  addAct(tx, { ...actOn(link), action: 'map.link', before: null, after, by }, nowMs);
}

/** Creates whose outcome this link tells. */
function createsOf({ kind, marketplaceId, erpId }: Link) {
  const is = (intentKind: string, key: string) => and(eq(intents.kind, intentKind), eq(intents.key, key));
  if (kind === 'product') return is('product', erpId);
  if (kind === 'customer') return is('customer', marketplaceId);
  return or(is('erp-order', marketplaceId), is('marketplace-order', erpId));
}

function remove(tx: Queryable, mapping: Mapping, by: string, nowMs: number): void {
  tx.delete(mappings).where(eq(mappings.id, mapping.id)).run();
  const before = `marketplace ${mapping.marketplaceId ?? '?'} - ERP ${mapping.erpId ?? '?'}`;
  addAct(tx, { ...actOn(mapping), action: 'map.unlink', before, after: null, by }, nowMs);
}

/** Under the key that the entity has in its flow. */
function actOn({ account, kind, marketplaceId, erpId }: Pick<Mapping, 'account' | 'kind' | 'marketplaceId' | 'erpId'>) {
  const key = (kind === 'product' ? erpId : marketplaceId) ?? '';
  return { account, flow: kind, key, target: `link of ${kind} ${key}` };
}

function isLinked(tx: Queryable, { account, kind, marketplaceId, erpId }: Link): boolean {
  const same = and(
    eq(mappings.account, account),
    eq(mappings.kind, kind),
    eq(mappings.marketplaceId, marketplaceId),
    eq(mappings.erpId, erpId),
    eq(mappings.state, 'linked'),
  );
  return tx.select({ id: mappings.id }).from(mappings).where(same).get() !== undefined;
}

function inTheWay(tx: Queryable, { account, kind, marketplaceId, erpId }: Link): Mapping[] {
  const either = or(eq(mappings.marketplaceId, marketplaceId), eq(mappings.erpId, erpId));
  return tx
    .select()
    .from(mappings)
    .where(and(eq(mappings.account, account), eq(mappings.kind, kind), either))
    .all();
}
