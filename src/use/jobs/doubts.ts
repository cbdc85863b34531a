import { type Cause, cause } from '../../domain/causes/cause.ts';
import { INTENT_KINDS, type IntentKind, intentKind, namelessBecause } from '../../store/intent-kinds.ts';
import { candidatesOf, type Intent, type NewIntent } from '../../store/intents.ts';
import type { Store } from '../../store/store.ts';
import { isHeld, type WorkKey } from '../../store/work.ts';
import { accountNames } from '../accounts.ts';
import { eachRow } from '../each-row.ts';
import type { Opened } from '../open.ts';
import type { Named } from './select.ts';

export interface Doubt {
  readonly intent: Intent;
  /** The journal's values to write; null: none, or nothing was sent. */
  readonly sent: string | null;
  /** What the look-up found, or else why the job does not go on. */
  readonly found: readonly Cause[];
}

const JOURNAL_LOOKED_AT = 100;

export async function doubtOf(store: Store, intent: Intent): Promise<Doubt> {
  const target = targetOf(intent);
  const entries = await store.journal.of(target.account, target.flow, target.key, JOURNAL_LOOKED_AT);
  // The journal entry precedes the intent, and stays when the answer is lost.
  const entry = entries.find(({ outcome, atMs }) => ['sent', 'unknown'].includes(outcome) && atMs <= intent.sentAtMs);
  const sent = entry === undefined ? null : `${entry.action} ${entry.target}: ${entry.after ?? '-'}; ${entry.answer}`;
  const [failed] = await store.work.failed(target);
  const work = await store.work.get(target);
  const holds = work !== null && isHeld(work) ? work.heldFor : null;
  const stopped = failed === undefined ? holds : [cause(failed.cause, { message: failed.message })];
  const found = intent.evidence === null ? (stopped ?? []) : [intent.evidence];
  return { intent, sent, found };
}

const AT_ONCE = 1_000;

/** Oldest first. */
export async function* eachDoubt(
  store: Pick<Store, 'doubts'>,
  accounts: readonly string[],
  afterId = 0,
): AsyncGenerator<Intent> {
  for await (const intent of eachRow<Intent>((last) => store.doubts.after(last?.id ?? afterId, AT_ONCE)))
    if (accounts.includes(intent.account)) yield intent;
}

/** The intent's key in its flow. */
export function targetOf({ account, kind, key }: Pick<Intent, 'account' | 'kind' | 'key'>): WorkKey {
  return { account, flow: intentKind(kind).flow, key };
}

interface Choices {
  /** Whether the write created an entity with an id. */
  readonly adopt: boolean;
  /** Ids of entities that it may have created. */
  readonly candidates: readonly string[];
  /** What it creates: `ERP order`. */
  readonly makes: string;
  readonly drop: boolean;
}

export function choicesOf(intent: Intent): Choices {
  return {
    adopt: namelessBecause(intent.kind) === null,
    candidates: candidatesOf(intent),
    makes: intentKind(intent.kind).makes,
    drop: intent.state !== 'dropped',
  };
}

/** The doubts with a number or FLOW/KEY, in the named account or in any. */
export async function doubtsNamed(
  { config, store }: Opened,
  named: Named,
  account: string | undefined,
): Promise<Intent[]> {
  const accounts = accountNames(config, account);
  const waiting = await Array.fromAsync(eachDoubt(store, accounts));
  if ('id' in named) return waiting.filter(({ id }) => id === named.id);
  const creates = (await Promise.all(accounts.map((name) => createsOf(store, { account: name, ...named })))).flat();
  return waiting.filter(({ id }) => creates.some((create) => create.id === id));
}

/** The creates for a flow's entity, newest first. An order includes its customer's create, stock its listing's. */
export async function createsOf(store: Store, target: WorkKey): Promise<Intent[]> {
  const found: Intent[] = [];
  for (const { kind, key } of [...ofFlow(target), ...(await needed(store, target))]) {
    found.push(...(await store.intents.of({ account: target.account, kind, key })));
  }
  return found.toSorted((a, b) => b.id - a.id);
}

type Tried = Pick<NewIntent, 'kind' | 'key'>;

function ofFlow({ flow, key }: WorkKey): Tried[] {
  const kinds = Object.keys(INTENT_KINDS) as IntentKind[];
  return kinds.filter((kind) => INTENT_KINDS[kind].flow === flow).map((kind) => ({ kind, key }));
}

async function needed(store: Store, { account, flow, key }: WorkKey): Promise<Tried[]> {
  if (flow === 'stock') return [{ kind: 'product', key }];
  if (flow !== 'order-in') return [];
  const order = await store.orders.get(account, key);
  const customerId = order?.order.customer.id ?? null;
  return [
    ...(customerId === null ? [] : [{ kind: 'customer-in' as const, key: String(customerId) }]),
    ...(order?.lines ?? []).map(({ productId }) => ({ kind: 'product-in' as const, key: String(productId) })),
  ];
}
