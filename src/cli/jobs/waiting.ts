import { intentKind } from '../../store/sqlite/intent-kinds.ts';
import type { Intent } from '../../store/sqlite/intents.ts';
import { accountsFor } from '../account.ts';
import type { Opened } from '../with-store.ts';
import { createsOf } from './creates.ts';
import { choicesOf, stateText } from './doubts.ts';
import { type Named, shownName, UnknownJob } from './select.ts';

/** What waits for an operator's word under a number or FLOW/KEY, in the account that is named or in any. */
export async function doubtsNamed(
  { config, store }: Opened,
  named: Named,
  account: string | undefined,
): Promise<Intent[]> {
  const accounts = accountsFor(config, account).map(({ name }) => name);
  const waiting = (await store.doubts.all()).filter((intent) => accounts.includes(intent.account));
  if ('id' in named) return waiting.filter(({ id }) => id === named.id);
  const creates = (await Promise.all(accounts.map((name) => createsOf(store, { account: name, ...named })))).flat();
  return waiting.filter(({ id }) => creates.some((create) => create.id === id));
}

/**
 * Of what has not failed, nothing is done: what is in doubt waits for another word.
 * @throws UnknownJob
 */
export async function refuseMissing(
  opened: Opened,
  missing: readonly Named[],
  account: string | undefined,
): Promise<void> {
  if (missing.length === 0) return;
  const doubts = (await Promise.all(missing.map((named) => doubtsNamed(opened, named, account)))).flat();
  const names = missing.map(shownName).join(', ');
  if (doubts.length === 0) {
    throw new UnknownJob(`no failed job ${names}, so nothing was done: "stockbridge jobs list" shows those there are`);
  }
  const choices = doubts.flatMap((doubt) => [
    `${doubt.kind} ${doubt.key} is ${stateText(doubt)}. What is it?`,
    ...choicesOf(doubt).map((choice) => `  ${choice}`),
  ]);
  throw new UnknownJob([`no failed job ${names}, so nothing was done`, ...choices].join('\n'));
}

/** As it can be typed for `jobs resolve` and `jobs show`. */
export function typedName({ kind, key }: Pick<Intent, 'kind' | 'key'>): string {
  return `${intentKind(kind).flow}/${key}`;
}
