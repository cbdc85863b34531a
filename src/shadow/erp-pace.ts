import type { CallKind } from '../domain/pace.ts';
import type { ShownPace } from '../erp/places.ts';
import type { Store } from '../store/store.ts';

type NotedPace = Omit<ShownPace, 'inUse'>;
export type NotedPaces = Partial<Record<CallKind, NotedPace>>;

/** Fact: the limits of concurrent ERP calls, as JSON. */
const PACE = 'erp-pace';

interface Account {
  readonly account: string;
  readonly store: Pick<Store, 'facts'>;
}

export async function notePace({ account, store }: Account, paces: ReadonlyMap<CallKind, NotedPace>): Promise<void> {
  const noted = [...paces].map(([kind, { limit, because }]) => [kind, { limit, because }] as const);
  const text = JSON.stringify(Object.fromEntries(noted.toSorted(([one], [other]) => one.localeCompare(other))));
  if (text !== (await store.facts.get(account, PACE))) await store.facts.set(account, PACE, text);
}

/** Kinds without a call so far are omitted. */
export async function paceOf({ account, store }: Account): Promise<NotedPaces> {
  return JSON.parse((await store.facts.get(account, PACE)) ?? '{}') as NotedPaces;
}
