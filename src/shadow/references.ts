import { type Cause, cause } from '../domain/causes/cause.ts';
import type { ReferenceBook } from '../erp/references.ts';
import type { Facts } from '../store/observe.ts';
import type { Store } from '../store/store.ts';
import { setAlert } from './alerts.ts';
import type { AccountRecords } from './context.ts';

/** Fact per shortened reference: the number of its order. */
const REFERENCE = 'order-reference:';
/** Fact: references that the ERP altered, as JSON. While there are any, no order is created in it. */
export const REFERENCE_DIFFERS = 'reference-differs';
const ALERT = 'erp:references';
/** Only the newest orders are remembered. */
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

/** Stops the creation of orders in the ERP, because they could not be found by their reference. */
export async function stopErpCreates(context: Shadow, found: Differing): Promise<void> {
  const others = (await differingNow(context)).filter(({ sent }) => sent !== found.sent);
  await remember(context, [...others, found].slice(-MOST_REMEMBERED));
}

/** Lets orders be created again, after another rule or a person's decision. */
export async function allowErpCreates(context: Shadow): Promise<void> {
  if ((await differingNow(context)).length > 0) await remember(context, []);
}

/**
 * The order's reference is shown as sent, because somebody corrected it. After the last one, waiting orders are
 * retried.
 */
export async function endDiffering(context: Shadow, sent: string): Promise<void> {
  const before = await differingNow(context);
  const left = before.filter((one) => one.sent !== sent);
  if (left.length === before.length) return;
  await remember(context, left);
  if (left.length === 0) await context.store.work.release({ account: context.account, codes: ['reference-differs'] });
}

/**
 * Why no order is created in the ERP. null: references are stored as sent.
 * @param facts must include `REFERENCE_DIFFERS`
 */
export function differingIn(facts: Facts): Cause | null {
  return causesOf(listed(facts.get(REFERENCE_DIFFERS)))[0] ?? null;
}

async function differingNow({ account, store }: Shadow): Promise<readonly Differing[]> {
  return listed((await store.facts.get(account, REFERENCE_DIFFERS)) ?? undefined);
}

/** Earlier versions stored one order. */
function listed(fact: string | undefined): readonly Differing[] {
  return fact === undefined ? [] : ([JSON.parse(fact)] as (Differing | Differing[])[]).flat();
}

async function remember({ account, store }: Shadow, differing: readonly Differing[]): Promise<void> {
  if (differing.length === 0) await store.facts.clear(account, REFERENCE_DIFFERS);
  else await store.facts.set(account, REFERENCE_DIFFERS, JSON.stringify(differing));
  await setAlert({ account, store }, ALERT, causesOf(differing));
}

/** The alert names one order for all. */
function causesOf(differing: readonly Differing[]): Cause[] {
  const last = differing.at(-1);
  return last === undefined ? [] : [cause('reference-differs', { sent: last.sent, shown: last.shown })];
}
