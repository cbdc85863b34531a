import type { Database, Queryable } from './database.ts';
import type { Intent } from './intents.ts';
import { addActs } from './journal.ts';
import { conflictWith, type Link, linkEntities, type Mapping } from './mappings.ts';
import { and, eq, inArray, or } from './orm.ts';
import { markLinked } from './relook.ts';
import { intents, mappings } from './schema.ts';
import { markWork, type WorkKey } from './work.ts';

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

/** As many links as one statement takes. */
const ROWS_AT_ONCE = 500;

/** What an operator says of which belongs to which. Every act is journaled, and has both sides looked at. */
export function linkStore(db: Database, now: () => number) {
  return {
    /**
     * Links the two, and settles a create of theirs that is in doubt. With `replace`, what stands in the way goes.
     * @throws MappingConflict
     */
    async link(link: Link, replace: boolean, by: string): Promise<'linked' | 'unchanged'> {
      return db.transaction((tx) => {
        const found = foundUnder(tx, [link]);
        if (found.some((mapping) => isThis(mapping, link))) return 'unchanged';
        const inTheWay = found.filter((mapping) => conflictWith(mapping, link) !== null);
        if (replace) for (const mapping of inTheWay) remove(tx, mapping, by, now());
        linkEntities(tx, link, now());
        noteLinked(tx, [link], by, now());
        return 'linked';
      });
    },

    /**
     * All or nothing; `keep: false` only tells what would become of it. No id may be in it twice.
     * @param links no two of one kind with the same id on a side
     */
    async linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll> {
      const indexed = links.map((link, index) => ({ link, index }));
      const result = { linked: 0, unchanged: 0, conflicts: [] as { index: number; message: string }[] };
      try {
        await db.transaction((tx) => {
          for (const alike of Map.groupBy(indexed, ({ link }) => `${link.account}/${link.kind}`).values()) {
            for (let at = 0; at < alike.length; at += ROWS_AT_ONCE) {
              const judged = judge(tx, alike.slice(at, at + ROWS_AT_ONCE));
              insert(tx, judged.fresh, now());
              for (const link of judged.begun) linkEntities(tx, link, now());
              const linked = [...judged.fresh, ...judged.begun];
              noteLinked(tx, linked, by, now());
              result.linked += linked.length;
              result.unchanged += judged.unchanged;
              result.conflicts.push(...judged.conflicts);
            }
          }
          if (!keep || result.conflicts.length > 0) throw new Undone();
        });
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
      return result;
    },

    async unlink(mapping: Mapping, by: string): Promise<void> {
      await db.transaction((tx) => {
        remove(tx, mapping, by, now());
        markLinked(tx, [mapping], 'unlinked by an operator', now());
      });
    },

    /** Creates in doubt were not applied: what they were for is looked at afresh. */
    async giveUp(creates: readonly Intent[], target: WorkKey, by: string): Promise<void> {
      await db.transaction((tx) => {
        for (const create of creates) settleAsRefused(tx, create, target, by, now());
        markWork(tx, target, 'poll', 'its create in doubt was given up by an operator', now());
      });
    },
  };
}

function settleAsRefused(
  tx: Queryable,
  { id, kind, key, evidence }: Intent,
  target: WorkKey,
  by: string,
  nowMs: number,
): void {
  const set = { state: 'refused', settledAtMs: nowMs, evidence: `given up by ${by}; ${evidence}` } as const;
  tx.update(intents)
    .set(set)
    .where(and(eq(intents.id, id), eq(intents.state, 'in-doubt')))
    .run();
  const what = { action: 'create.give-up', target: `create of ${kind} ${key}` };
  addActs(tx, [{ ...target, ...what, before: evidence, after: null, by }], nowMs);
}

/** Takes back a transaction whose result is known. */
class Undone extends Error {}

function judge(tx: Queryable, alike: readonly { link: NewLink; index: number }[]) {
  const found = foundUnder(
    tx,
    alike.map(({ link }) => link),
  );
  const byMarketplace = new Map(found.map((mapping) => [mapping.marketplaceId, mapping]));
  const byErp = new Map(found.map((mapping) => [mapping.erpId, mapping]));
  const fresh: NewLink[] = [];
  // A create of theirs was begun: half of the link is there.
  const begun: NewLink[] = [];
  const conflicts: { index: number; message: string }[] = [];
  for (const { link, index } of alike) {
    const own = [byMarketplace.get(link.marketplaceId), byErp.get(link.erpId)].filter((one) => one !== undefined);
    const conflict = own.map((mapping) => conflictWith(mapping, link)).find((one) => one !== null);
    if (conflict !== undefined) conflicts.push({ index, message: conflict.message });
    else if (own.length === 0) fresh.push(link);
    else if (!own.some((mapping) => isThis(mapping, link))) begun.push(link);
  }
  return { fresh, begun, conflicts, unchanged: alike.length - fresh.length - begun.length - conflicts.length };
}

function insert(tx: Queryable, links: readonly NewLink[], nowMs: number): void {
  if (links.length === 0) return;
  const rows = links.map(({ createdAtMs, ...link }) => ({
    ...link,
    state: 'linked' as const,
    createdAtMs: createdAtMs ?? nowMs,
  }));
  tx.insert(mappings).values(rows).run();
}

/** What is known under an id of theirs. They are of one account and kind. */
function foundUnder(tx: Queryable, links: readonly Link[]): Mapping[] {
  const [first] = links;
  if (first === undefined) return [];
  const either = or(
    inArray(
      mappings.marketplaceId,
      links.map(({ marketplaceId }) => marketplaceId),
    ),
    inArray(
      mappings.erpId,
      links.map(({ erpId }) => erpId),
    ),
  );
  return tx
    .select()
    .from(mappings)
    .where(and(eq(mappings.account, first.account), eq(mappings.kind, first.kind), either))
    .all();
}

function isThis({ marketplaceId, erpId, state }: Mapping, link: Link): boolean {
  return state === 'linked' && marketplaceId === link.marketplaceId && erpId === link.erpId;
}

/** What follows from new links of one account and kind. */
function noteLinked(tx: Queryable, links: readonly Link[], by: string, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  settleCreates(tx, first, links, by, nowMs);
  markLinked(tx, links, `linked (${first.how})`, nowMs);
  const acts = links.map((link) => {
    const after = `marketplace ${link.marketplaceId} - ERP ${link.erpId}`;
    return { ...actOn(link), action: 'map.link', before: null, after, by };
  });
  addActs(tx, acts, nowMs);
}

/** Creates whose outcome these links tell. */
function settleCreates(
  tx: Queryable,
  { account, kind }: Link,
  links: readonly Link[],
  by: string,
  nowMs: number,
): void {
  const erpIds = links.map(({ erpId }) => erpId);
  const marketplaceIds = links.map(({ marketplaceId }) => marketplaceId);
  const of = (intentKind: string, keys: string[]) => and(eq(intents.kind, intentKind), inArray(intents.key, keys));
  const theirs = {
    product: of('product', erpIds),
    customer: of('customer', marketplaceIds),
    order: or(of('erp-order', marketplaceIds), of('marketplace-order', erpIds)),
    payment: or(of('erp-payment', marketplaceIds), of('marketplace-payment', erpIds)),
  }[kind];
  tx.update(intents)
    .set({ state: 'applied', settledAtMs: nowMs, evidence: `linked by ${by}` })
    .where(and(eq(intents.account, account), theirs, inArray(intents.state, ['open', 'in-doubt'])))
    .run();
}

function remove(tx: Queryable, mapping: Mapping, by: string, nowMs: number): void {
  tx.delete(mappings).where(eq(mappings.id, mapping.id)).run();
  const before = `marketplace ${mapping.marketplaceId ?? '?'} - ERP ${mapping.erpId ?? '?'}`;
  addActs(tx, [{ ...actOn(mapping), action: 'map.unlink', before, after: null, by }], nowMs);
}

/** Under the key that the entity has in its flow. */
function actOn({ account, kind, marketplaceId, erpId }: Pick<Mapping, 'account' | 'kind' | 'marketplaceId' | 'erpId'>) {
  const key = (kind === 'product' ? erpId : marketplaceId) ?? '';
  return { account, flow: kind, key, target: `link of ${kind} ${key}` };
}
