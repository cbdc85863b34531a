import { type Cause, cause } from '../domain/causes/cause.ts';
import type { ReferenceBook } from '../erp/references.ts';
import type { Facts } from '../store/observe.ts';
import type { Store } from '../store/store.ts';
import { setAlert } from './alerts.ts';
import type { AccountRecords } from './context.ts';

/** Fact per short reference: the number of the order that it stands for. */
const REFERENCE = 'order-reference:';
/** Fact: the references that the ERP has shown otherwise than they were sent, as JSON. No order is created in it since. */
export const REFERENCE_DIFFERS = 'reference-differs';
const ALERT = 'erp:references';
/** So many orders are remembered, the newest ones. */
const MOST_REMEMBERED = 100;

type Shadow = Pick<AccountRecords, 'account' | 'store'>;

export interface Differing {
  readonly sent: string;
  readonly shown: string;
}

export function bookOf(account: string, { facts }: Pick<Store, 'facts'>): ReferenceBook {
  return {
    numberOf: (reference) => facts.get(account, REFERENCE + reference),
    note: async (reference, number) => {
      if ((await facts.get(account, REFERENCE + reference)) === number) return;
      await facts.set(account, REFERENCE + reference, number);
    },
  };
}

/** From now on no order is created in the ERP: it would not be found again by its reference. */
export async function noteDiffering(context: Shadow, found: Differing): Promise<void> {
  const others = (await differingNow(context)).filter(({ sent }) => sent !== found.sent);
  await remember(context, [...others, found].slice(-MOST_REMEMBERED));
}

/** Orders are created again, under another rule or at a person's word. */
export async function trustReferences(context: Shadow): Promise<void> {
  if ((await differingNow(context)).length > 0) await remember(context, []);
}

/**
 * The order that was sent with this reference is shown with it: somebody has set it right. When it was the last one, the orders that wait
 * are tried again.
 */
export async function endDiffering(context: Shadow, sent: string): Promise<void> {
  const before = await differingNow(context);
  const left = before.filter((one) => one.sent !== sent);
  if (left.length === before.length) return;
  await remember(context, left);
  if (left.length === 0) await context.store.work.release({ account: context.account, codes: ['reference-differs'] });
}

/** Why no order is created in the ERP; null: its references come back as they are sent. @param facts `REFERENCE_DIFFERS` among them */
export function differingIn(facts: Facts): Cause | null {
  return causesOf(listed(facts.get(REFERENCE_DIFFERS)))[0] ?? null;
}

async function differingNow({ account, store }: Shadow): Promise<readonly Differing[]> {
  return listed((await store.facts.get(account, REFERENCE_DIFFERS)) ?? undefined);
}

/** Earlier versions remembered one order. */
function listed(fact: string | undefined): readonly Differing[] {
  return fact === undefined ? [] : ([JSON.parse(fact)] as (Differing | Differing[])[]).flat();
}

async function remember({ account, store }: Shadow, differing: readonly Differing[]): Promise<void> {
  if (differing.length === 0) await store.facts.clear(account, REFERENCE_DIFFERS);
  else await store.facts.set(account, REFERENCE_DIFFERS, JSON.stringify(differing));
  await setAlert({ account, store }, ALERT, causesOf(differing));
}

/** One order stands for all of them. */
function causesOf(differing: readonly Differing[]): Cause[] {
  const last = differing.at(-1);
  return last === undefined ? [] : [cause('reference-differs', { sent: last.sent, shown: last.shown })];
}
