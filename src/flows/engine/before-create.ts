import { readBeforeCreate } from '../../shadow/last-read.ts';
import type { Planned } from './decision.ts';
import type { Flow } from './flow.ts';

interface Creating<Snapshot> extends Pick<Flow<Snapshot, Planned>, 'observe' | 'decide'> {
  readonly create: string;
  readonly list: Parameters<typeof readBeforeCreate>[2];
}

/**
 * Observes an entity. Before a create, reads the other side and observes again, because the entity may have been
 * entered there by hand. A create in doubt looks the entity up itself.
 */
export function beforeCreate<Snapshot extends { readonly createInDoubt: boolean } | null>({
  observe,
  decide,
  create,
  list,
}: Creating<Snapshot>): NonNullable<Flow<Snapshot, Planned>['observeFresh']> {
  return async (context, look) => {
    const snapshot = await observe(context, look.key);
    if (snapshot?.createInDoubt) return snapshot;
    if (!decide(snapshot).actions.some(({ action }) => action === create)) return snapshot;
    await readBeforeCreate(context, look, list);
    return observe(context, look.key);
  };
}
