import type { Sample } from '../../domain/day.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { onlyAccount } from '../../use/accounts.ts';
import { moneyAtStake } from '../../use/browse.ts';
import { dayOf } from '../../use/day.ts';
import { type FirstStep, firstDayOf } from '../../use/first-day.ts';
import type { Opened } from '../../use/open.ts';
import { gatherStatus, type Status } from '../../use/status.ts';

/** The money in orders that are held up: by flow and code, and for each by currency. */
export type Stakes = ReadonlyMap<string, ReadonlyMap<string, Decimal>>;

/** Everything that the overview of an account shows. */
export interface Gathered {
  readonly status: Status;
  readonly stakes: Stakes;
  /** The steps of each account that is not live yet; null: it is. */
  readonly firstDays: ReadonlyMap<string, readonly FirstStep[] | null>;
  /** The samples of the account's last day. */
  readonly day: readonly Sample[];
  /** When all of this was gathered. */
  readonly nowMs: number;
}

export async function gather({ config, store }: Opened, account: string, nowMs: number): Promise<Gathered> {
  const status = await gatherStatus(onlyAccount(config, account), store, nowMs);
  const steps = status.accounts.map(async (of) => [of.account, await firstDayOf(status, of, store, nowMs)] as const);
  const firstDays = new Map(await Promise.all(steps));
  return { status, firstDays, stakes: await moneyAtStake(store, account), day: await dayOf(store, account), nowMs };
}
