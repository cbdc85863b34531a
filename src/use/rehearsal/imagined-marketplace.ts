import type { MarketplaceClient } from '../../marketplace/client.ts';
import { EMPTY_PAGE, type ListPage } from '../../marketplace/page.ts';
import type { Answer, CallId, ListId, RequestOf } from '../../marketplace/request.ts';
import { imaginedAssignments } from './imagined-assignments.ts';
import { createShown, imaginedLists } from './imagined-lists.ts';
import { changedOrders } from './imagined-orders.ts';
import { imaginedWrites } from './imagined-writes.ts';
import type { NewIds } from './new-ids.ts';
import type { Asked, Commands, Fields, Shadow } from './shown.ts';

/**
 * The marketplace as the shadow shows it. It accepts every write. Nothing else changes there: a list of changes is empty, and a
 * search finds the entities of the shadow.
 */
export function imaginedMarketplace(shadow: Shadow, newIds: NewIds): MarketplaceClient {
  const commands: Commands = new Map();
  const orders = changedOrders(shadow, newIds);
  const shown = createShown(shadow);
  const assignments = imaginedAssignments(shadow);
  const writes: Partial<Record<CallId, (asked: Asked) => Promise<unknown>>> = {
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
      const rows = (await lists[id]?.((request as Asked).query ?? {})) ?? [];
      return { ...EMPTY_PAGE, count: rows.length, rows, raw: rows } as ListPage<Answer<Id>>;
    },
    close: async () => {},
  };
}
