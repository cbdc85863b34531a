import type { MarketplaceClient } from '../../marketplace/client.ts';
import type { Assignments } from '../../marketplace/entities/assignments.ts';
import { EMPTY_PAGE, type ListPage } from '../../marketplace/page.ts';
import type { Answer, Body, CallId, ListId, RequestOf } from '../../marketplace/request.ts';
import { createShown, imaginedLists } from './imagined-lists.ts';
import { changedOrders } from './imagined-orders.ts';
import { imaginedWrites } from './imagined-writes.ts';
import type { NewIds } from './new-ids.ts';
import { type Commands, type Fields, type OperationRequest, parsed, type Shadow } from './shown.ts';

/** The marketplace from the shadow. It accepts every write and has no other changes. */
export function imaginedMarketplace(shadow: Shadow, newIds: NewIds): MarketplaceClient {
  const commands: Commands = new Map();
  const orders = changedOrders(shadow, newIds);
  const shown = createShown(shadow);
  const assignments = imaginedAssignments(shadow);
  const writes: Partial<Record<CallId, (asked: OperationRequest) => Promise<unknown>>> = {
    ...imaginedWrites(shadow, shown, newIds, commands, orders),
    ...assignments.writes,
  };
  const lists: Partial<Record<ListId, (query: Fields) => Promise<readonly unknown[]>>> = {
    ...imaginedLists(shadow, shown, commands, orders),
    ...assignments.lists,
  };
  return {
    async call<Id extends CallId>(id: Id, request: RequestOf<Id>) {
      const answer = writes[id];
      if (answer === undefined) throw new Error(`invariant: a rehearsal knows ${id}`);
      return (await answer(request)) as Answer<Id>;
    },
    async list<Id extends ListId>(id: Id, request: RequestOf<Id>) {
      const rows = (await lists[id]?.((request as OperationRequest).query ?? {})) ?? [];
      return { ...EMPTY_PAGE, count: rows.length, rows, raw: rows } as ListPage<Answer<Id>>;
    },
    close: async () => {},
  };
}

/** Assignments from the shadow and the rehearsal's writes. */
function imaginedAssignments({ account, store }: Shadow) {
  const written = new Map<number, Fields>();
  const shownOf = async (id: number): Promise<readonly Fields[]> => {
    const mine = written.get(id);
    if (mine !== undefined) return [mine];
    const content = await store.assignments.get(account, id);
    return content === null ? [] : [rowOf(id, content)];
  };
  return {
    lists: {
      'product-assignments.list': async ({ product_ids: ids }: Fields) =>
        typeof ids === 'string' ? (await Promise.all(ids.split(',').map(Number).map(shownOf))).flat() : [],
    },
    writes: {
      'product-assignments.replace': async ({ body }: OperationRequest) => {
        const { product_ids: ids, ...terms } = body as Body<'product-assignments.replace'>;
        for (const id of ids) written.set(id, { product_id: id, ...terms });
        return null;
      },
    },
  };
}

function rowOf(id: number, content: string): Fields {
  const { exclusive, buyers, groups } = parsed(content) as unknown as Assignments;
  return {
    product_id: id,
    is_exclusive: exclusive,
    assigned_buyers: buyers.map(({ id: buyer, terms }) => ({ buyer_id: buyer, ...terms })),
    assigned_groups: groups.map(({ id: group, terms }) => ({ customer_group_id: group, ...terms })),
  };
}
