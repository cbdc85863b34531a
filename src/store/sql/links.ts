import { setImmediate as nextTurn } from 'node:timers/promises';
import { cause } from '../../domain/causes/cause.ts';
import {
  LINK_FLOWS,
  type Link,
  type LinkConflict,
  type LinkedAll,
  type LinkStore,
  type Mapping,
  type NewLink,
} from '../links.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { otherErpOrders } from './erp-orders.ts';
import { addActs } from './journal.ts';
import { conflictWith, linkEntities, settleCreates } from './mappings.ts';
import { and, eq, inArray, or } from './orm.ts';
import type { Writes } from './part.ts';
import { inParts, rowsWhere } from './queries.ts';
import { markLinked } from './relook.ts';
import { mappings } from './tables/work.ts';
import { releaseWork } from './work.ts';

export const linkWrites = {
  link({ tx, nowMs }, link, replace, by) {
    const found = foundUnder(tx, [link]);
    if (found.some((mapping) => isThis(mapping, link))) return 'unchanged';
    const inTheWay = found.filter((mapping) => conflictWith(mapping, link) !== null);
    if (replace) for (const mapping of inTheWay) remove(tx, mapping, by, nowMs);
    // The marketplace's entity keeps the written values, so that a later change by a person is recognised.
    const { echoes } = inTheWay.find(({ marketplaceId }) => marketplaceId === link.marketplaceId) ?? { echoes: {} };
    linkEntities(tx, link, nowMs, echoes);
    // Both halves of a replaced link are looked at again, because what is known of them rests on that link.
    if (replace) followRemoval(tx, inTheWay, 'its link was replaced by an operator', nowMs);
    noteLinked(tx, [link], by, nowMs);
    return 'linked';
  },

  unlink({ tx, nowMs }, mapping, by) {
    remove(tx, mapping, by, nowMs);
    followRemoval(tx, [mapping], 'unlinked by an operator', nowMs);
  },
} satisfies Writes<LinkStore>;

/** A few hundred links at a time, so that other writers get in between. */
export const linkSteps = (database: Database, now: () => number) => ({
  async linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll> {
    const parts = partsOf(links);
    const result = { linked: 0, unchanged: 0, conflicts: [] as LinkConflict[] };
    for (const part of parts) {
      await nextTurn();
      const { fresh, begun, unchanged, conflicts } = database.snapshot(() => judge(database, part));
      result.linked += fresh.length + begun.length;
      result.unchanged += unchanged;
      result.conflicts.push(...conflicts);
    }
    if (!keep || result.conflicts.length > 0) return { ...result, kept: 0 };
    let kept = 0;
    for (const part of parts) {
      const conflicts = await database.transaction((tx) => {
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
});

interface Indexed {
  readonly link: NewLink;
  readonly index: number;
}

function partsOf(links: readonly NewLink[]): Indexed[][] {
  const indexed = links.map((link, index) => ({ link, index }));
  return [...Map.groupBy(indexed, ({ link }) => `${link.account}/${link.kind}`).values()].flatMap(inParts);
}

function judge(tx: Readable, alike: readonly Indexed[]) {
  const links = alike.map(({ link }) => link);
  const found = foundUnder(tx, links);
  const byMarketplace = new Map(found.map((mapping) => [mapping.marketplaceId, mapping]));
  const byErp = new Map(found.map((mapping) => [mapping.erpId, mapping]));
  const fresh: NewLink[] = [];
  // A create for one of the two has begun: its link has one half.
  const begun: NewLink[] = [];
  const conflicts: LinkConflict[] = [];
  for (const { link, index } of alike) {
    const existing = [byMarketplace.get(link.marketplaceId), byErp.get(link.erpId)].filter((one) => one !== undefined);
    const conflict = existing.map((mapping) => conflictWith(mapping, link)).find((one) => one !== null);
    if (conflict !== undefined) conflicts.push({ index, message: conflict.message });
    else if (existing.length === 0) fresh.push(link);
    else if (!existing.some((mapping) => isThis(mapping, link))) begun.push(link);
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

function foundUnder(tx: Readable, links: readonly Link[]): Mapping[] {
  const [first] = links;
  if (first === undefined) return [];
  const marketplaceIds = links.map(({ marketplaceId }) => marketplaceId);
  const erpIds = links.map(({ erpId }) => erpId);
  const either = or(inArray(mappings.marketplaceId, marketplaceIds), inArray(mappings.erpId, erpIds));
  return rowsWhere(tx, mappings, and(eq(mappings.account, first.account), eq(mappings.kind, first.kind), either));
}

function isThis({ marketplaceId, erpId, state }: Mapping, link: Link): boolean {
  return state === 'linked' && marketplaceId === link.marketplaceId && erpId === link.erpId;
}

export function followLinks(tx: Queryable, links: readonly Link[], by: string, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  settleCreates(tx, links, cause('linked', { how: by }), nowMs);
  markLinked(tx, links, `linked (${first.how})`, nowMs);
  releaseLike(tx, links);
}

function noteLinked(tx: Queryable, links: readonly Link[], by: string, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  followLinks(tx, links, by, nowMs);
  const acts = links.map((link) => {
    const beside = link.kind === 'order' ? otherErpOrders(tx, link.account, link).map(({ id }) => id) : [];
    const others = beside.length === 0 ? '' : `, and not ${beside.join(', ')}`;
    const after = `marketplace ${link.marketplaceId} - ERP ${link.erpId}${others}`;
    return { ...actOn(link), action: 'map.link', before: null, after, by };
  });
  addActs(tx, acts, nowMs);
}

/**
 * Similar customers hold each other, so a decision about one releases the others. Products wait for a decision about a
 * similar listing.
 * @param links of one account and one kind
 */
function releaseLike(tx: Queryable, links: readonly Pick<Mapping, 'account' | 'kind' | 'marketplaceId'>[]): void {
  const [first] = links;
  if (first === undefined) return;
  const { account, kind } = first;
  if (kind === 'product') {
    const alike = links.map(({ marketplaceId }) => Number(marketplaceId));
    releaseWork(tx, { account, flow: 'product', alike });
  }
  if (kind !== 'customer') return;
  for (const flow of ['customer-out', 'customer-in']) releaseWork(tx, { account, flow });
}

function remove(tx: Queryable, mapping: Mapping, by: string, nowMs: number): void {
  tx.delete(mappings).where(eq(mappings.id, mapping.id)).run();
  const before = `marketplace ${mapping.marketplaceId ?? '?'} - ERP ${mapping.erpId ?? '?'}`;
  addActs(tx, [{ ...actOn(mapping), action: 'map.unlink', before, after: null, by }], nowMs);
}

function followRemoval(tx: Queryable, removed: readonly Mapping[], reason: string, nowMs: number): void {
  markLinked(tx, removed, reason, nowMs);
  releaseLike(tx, removed);
}

function actOn({ account, kind, marketplaceId, erpId }: Pick<Mapping, 'account' | 'kind' | 'marketplaceId' | 'erpId'>) {
  const { flow, keyedBy } = LINK_FLOWS[kind];
  const key = (keyedBy === 'erp' ? erpId : marketplaceId) ?? '';
  return { account, flow, key, target: `link of ${kind} ${key}` };
}
