import type { CallKind } from '../domain/pace.ts';
import type { ShownPace } from '../erp/places.ts';
import type { Store } from '../store/store.ts';

/** The calls of one kind that the ERP is given at once, and why. */
type NotedPace = Omit<ShownPace, 'inUse'>;
export type NotedPaces = Partial<Record<CallKind, NotedPace>>;

/** Fact: how many calls the ERP is given at once, as JSON. */
const PACE = 'erp-pace';

interface Account {
  readonly account: string;
  readonly store: Pick<Store, 'facts'>;
}

/** Puts on record how many calls the ERP is given at once. */
export async function notePace({ account, store }: Account, paces: ReadonlyMap<CallKind, NotedPace>): Promise<void> {
  const noted = [...paces].map(([kind, { limit, because }]) => [kind, { limit, because }] as const);
  const text = JSON.stringify(Object.fromEntries(noted.toSorted(([one], [other]) => one.localeCompare(other))));
  if (text !== (await store.facts.get(account, PACE))) await store.facts.set(account, PACE, text);
}

/** How many calls the ERP is given at once; a kind of which no call was made yet is left out. */
export async function paceOf({ account, store }: Account): Promise<NotedPaces> {
  return JSON.parse((await store.facts.get(account, PACE)) ?? '{}') as NotedPaces;
}
