import type { Assignments } from '../../marketplace/entities/assignments.ts';
import type { Body } from '../../marketplace/request.ts';
import { type Asked, type Fields, parsed, type Shadow } from './shown.ts';

/** The assignments of listings to customers, from the shadow and the writes of the rehearsal. */
export function imaginedAssignments({ account, store }: Shadow) {
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
      'product-assignments.replace': async ({ body }: Asked) => {
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
