import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Queryable } from './database.ts';
import { ordersBeside } from './erp-orders.ts';
import { addActs } from './journal.ts';
import { conflictWith, type Link, linkEntities, type Mapping } from './mappings.ts';
import { and, eq, inArray, or } from './orm.ts';
import { markLinked } from './relook.ts';
import { settleCreates } from './settle-creates.ts';
import { mappings } from './tables/work.ts';
import { releaseWork } from './work.ts';

export interface NewLink extends Link {
  /** Epoch milliseconds; null: now. */
  readonly createdAtMs: number | null;
}

/** What stands in the way of the link at this index. */
export interface LinkConflict {
  readonly index: number;
  readonly message: string;
}

export interface LinkedAll {
  /** New ones. */
  readonly linked: number;
  /** Linked like that already. */
  readonly unchanged: number;
  readonly conflicts: readonly LinkConflict[];
  /** How many were linked by this call. Fewer than `linked` only when there are conflicts, or none were to be kept. */
  readonly kept: number;
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
     * Links all of them, or none when something stands in the way of one. All are judged first, and then linked a few
     * hundred at a time, so that others can write in between: should one of these come into the way of a later part, the
     * earlier ones stay linked. `keep: false` only judges.
     * @param links no two of one kind with the same id on a side
     */
    async linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll> {
      const parts = partsOf(links);
      const result = { linked: 0, unchanged: 0, conflicts: [] as LinkConflict[] };
      for (const part of parts) {
        await nextTurn();
        const { fresh, begun, unchanged, conflicts } = judge(db, part);
        result.linked += fresh.length + begun.length;
        result.unchanged += unchanged;
        result.conflicts.push(...conflicts);
      }
      if (!keep || result.conflicts.length > 0) return { ...result, kept: 0 };
      let kept = 0;
      for (const part of parts) {
        const conflicts = await db.transaction((tx) => {
          const judged = judge(tx, part);
          if (judged.conflicts.length > 0) return judged.conflicts;
          const linked = [...judged.fresh, ...judged.begun];
          insert(tx, judged.fresh, now());
          for (const link of judged.begun) linkEntities(tx, link, now());
          noteLinked(tx, linked, by, now());
          kept += linked.length;
          return [];
        });
        if (conflicts.length > 0) return { ...result, conflicts, kept };
      }
      return { ...result, kept };
    },

    async unlink(mapping: Mapping, by: string): Promise<void> {
      await db.transaction((tx) => {
        remove(tx, mapping, by, now());
        markLinked(tx, [mapping], 'unlinked by an operator', now());
        releaseLike(tx, mapping);
      });
    },
  };
}

interface Indexed {
  readonly link: NewLink;
  readonly index: number;
}

/** Each of one account and one kind. */
function partsOf(links: readonly NewLink[]): Indexed[][] {
  const indexed = links.map((link, index) => ({ link, index }));
  return [...Map.groupBy(indexed, ({ link }) => `${link.account}/${link.kind}`).values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / ROWS_AT_ONCE) }, (_, part) =>
      alike.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE),
    ),
  );
}

function judge(tx: Pick<Queryable, 'select'>, alike: readonly Indexed[]) {
  const found = foundUnder(
    tx,
    alike.map(({ link }) => link),
  );
  const byMarketplace = new Map(found.map((mapping) => [mapping.marketplaceId, mapping]));
  const byErp = new Map(found.map((mapping) => [mapping.erpId, mapping]));
  const fresh: NewLink[] = [];
  // A create of theirs was begun: half of the link is there.
  const begun: NewLink[] = [];
  const conflicts: LinkConflict[] = [];
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
function foundUnder(tx: Pick<Queryable, 'select'>, links: readonly Link[]): Mapping[] {
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
export function followLinks(tx: Queryable, links: readonly Link[], by: string, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  settleCreates(tx, links, `linked by ${by}`, nowMs);
  markLinked(tx, links, `linked (${first.how})`, nowMs);
  releaseLike(tx, first);
}

function noteLinked(tx: Queryable, links: readonly Link[], by: string, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  followLinks(tx, links, by, nowMs);
  const acts = links.map((link) => {
    const beside = link.kind === 'order' ? ordersBeside(tx, link.account, link).map(({ id }) => id) : [];
    const others = beside.length === 0 ? '' : `, and not ${beside.join(', ')}`;
    const after = `marketplace ${link.marketplaceId} - ERP ${link.erpId}${others}`;
    return { ...actOn(link), action: 'map.link', before: null, after, by };
  });
  addActs(tx, acts, nowMs);
}

/** Customers who look like one hold each other: an operator's word on one of them frees the others. */
function releaseLike(tx: Queryable, { account, kind }: Pick<Link, 'account' | 'kind'>): void {
  if (kind !== 'customer') return;
  for (const flow of ['customer-out', 'customer-in']) releaseWork(tx, { account, flow });
}

function remove(tx: Queryable, mapping: Mapping, by: string, nowMs: number): void {
  tx.delete(mappings).where(eq(mappings.id, mapping.id)).run();
  const before = `marketplace ${mapping.marketplaceId ?? '?'} - ERP ${mapping.erpId ?? '?'}`;
  addActs(tx, [{ ...actOn(mapping), action: 'map.unlink', before, after: null, by }], nowMs);
}

/** Under the key that the entity has in its flow. */
function actOn({ account, kind, marketplaceId, erpId }: Pick<Mapping, 'account' | 'kind' | 'marketplaceId' | 'erpId'>) {
  const key = (kind === 'product' || kind === 'customer' ? erpId : marketplaceId) ?? '';
  return { account, flow: kind, key, target: `link of ${kind} ${key}` };
}
