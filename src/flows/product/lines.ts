import { nameKey } from '../../domain/name.ts';
import type { MarketplaceReading } from '../../shadow/context.ts';
import { listNames } from '../../shadow/read-names.ts';
import type { Named } from '../../store/marketplace.ts';
import { createOnce } from '../engine/create-once.ts';
import type { Applied, WriteLook } from '../engine/flow.ts';
import type { MissingLine } from './snapshot.ts';

/**
 * Creates a product line once, even if many products need it. The marketplace's lines are read first, because it may
 * have been created since.
 */
export async function createLine(
  context: MarketplaceReading,
  look: WriteLook,
  { name, brandId }: MissingLine,
): Promise<Applied> {
  const { account, client, store } = context;
  const key = `${brandId}/${nameKey(name)}`;
  const sameName = (all: readonly Named[]) =>
    all.filter((one) => nameKey(one.name) === nameKey(name) && (one.parentId ?? brandId) === brandId);
  return context.exclusively([`product-line ${key}`], async () => {
    const known = sameName(await store.names.find(account, 'product_line', name));
    if (known.length > 0) return { outcome: 'superseded', answer: 'it is there by now' };
    let there: readonly Named[] = [];
    return createOnce<Named>(context, {
      intent: { kind: 'product-line', key, externalId: name },
      alwaysFind: true,
      find: async () => {
        there = sameName(await listNames(context, look, 'product_line'));
        // If there are several, an operator chooses once they are stored.
        return there.slice(0, 1);
      },
      create: async (sending) => {
        const request = { body: { name, brand_id: brandId } };
        const { id } = await client.call('product-lines.create', request, { ...look, sending });
        return { id, name, parentId: brandId };
      },
      record: async (line) => {
        for (const one of there.length > 0 ? there : [line]) {
          await store.names.add(account, 'product_line', { ...one, parentId: one.parentId ?? brandId });
        }
      },
      idOf: ({ id }) => id,
    });
  });
}
