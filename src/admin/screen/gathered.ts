import type { Decimal } from '../../domain/decimal.ts';
import { onlyAccount } from '../../use/accounts.ts';
import { moneyAtStake } from '../../use/browse.ts';
import type { Opened } from '../../use/open.ts';
import { gatherStatus, type Status } from '../../use/status.ts';

/** What is held up, in money: by flow and code, and there by currency. */
export type Stakes = ReadonlyMap<string, ReadonlyMap<string, Decimal>>;

/** Everything that the overview of an account shows. */
export interface Gathered {
  readonly status: Status;
  readonly stakes: Stakes;
  /** When that was so. */
  readonly nowMs: number;
}

export async function gather({ config, store }: Opened, account: string, nowMs: number): Promise<Gathered> {
  const status = await gatherStatus(onlyAccount(config, account), store, nowMs);
  return { status, stakes: await moneyAtStake(store, account), nowMs };
}
