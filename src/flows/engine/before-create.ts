import { readBeforeCreate } from '../../shadow/last-read.ts';
import type { Planned } from './decision.ts';
import type { Flow } from './flow.ts';

/** A flow that may have to create an entity on the other side. */
interface Creating<Snapshot> extends Pick<Flow<Snapshot, Planned>, 'observe' | 'decide'> {
  /** The name of the write that creates the entity. */
  readonly create: string;
  /** The list that shows the entities of the other side. */
  readonly list: Parameters<typeof readBeforeCreate>[2];
}

/**
 * Observes an entity. When the entity would be created, the other side is read first and the entity is observed again:
 * somebody may have entered it there by hand. A create whose answer was lost looks the entity up itself.
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
