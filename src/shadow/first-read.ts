import type { Known } from './context.ts';

/** From now on, a missing entity is known not to be there. Work that waited for that is looked at. */
export async function nowKnown({ account, store }: Known, fact: string, flows: readonly string[]): Promise<void> {
  if ((await store.facts.get(account, fact)) !== null) return;
  await store.facts.set(account, fact, 'yes');
  for (const flow of flows) await store.work.release({ account, flow });
}
