import type { Look, MarketplaceReading } from '../../shadow/context.ts';
import { readBeforeCreate } from '../../shadow/last-read.ts';
import type { Decision, Planned } from './decision.ts';

/** The functions by which a flow looks at an entity that it may have to create on the other side. */
interface Creating<Snapshot> {
  observe(): Promise<Snapshot>;
  decide(snapshot: Snapshot): Decision<Planned>;
  /** The name of the write that creates the entity. */
  readonly create: string;
  /** The answer of an earlier create was lost. The create itself looks the entity up. */
  isInDoubt(snapshot: Snapshot): boolean;
  /** The list that shows the entities of the other side. */
  readonly list: Parameters<typeof readBeforeCreate>[2];
}

/**
 * Observes an entity. When the entity would be created, the other side is read first and the entity is observed again:
 * somebody may have entered it there by hand.
 */
export async function observeBeforeCreate<Snapshot>(
  context: MarketplaceReading,
  look: Look,
  { observe, decide, create, isInDoubt, list }: Creating<Snapshot>,
): Promise<Snapshot> {
  const snapshot = await observe();
  if (isInDoubt(snapshot)) return snapshot;
  if (!decide(snapshot).actions.some(({ action }) => action === create)) return snapshot;
  await readBeforeCreate(context, look, list);
  return observe();
}
