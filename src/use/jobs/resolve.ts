import { intentKind, namelessBecause } from '../../store/intent-kinds.ts';
import type { DecisionContext, Intent } from '../../store/intents.ts';
import { accountFor, accountNames } from '../accounts.ts';
import { withErp, withMarketplace } from '../api/open.ts';
import { NotFound, UsageError } from '../faults.ts';
import { erpIdProblem } from '../mapping/ids.ts';
import { type Opened, workerOf } from '../open.ts';
import { findCandidate, type Places } from './candidate.ts';
import { type Doubt, doubtOf, doubtsNamed } from './doubts.ts';
import { type Named, shownName } from './select.ts';

/** An operator's decision about a doubt: adopt an entity as the one created, try again, or give up. */
export type Resolution = { readonly adopt: string } | 'retry' | 'drop';

interface Resolved {
  readonly doubt: Doubt;
  readonly makes: string;
  /** Unchosen candidates, which stay unchanged. */
  readonly left: readonly string[];
}

/** Takes an operator's decision about a doubtful write. */
export async function resolveDoubt(
  opened: Opened,
  names: readonly Named[],
  { said, account }: { said: Resolution; account: string | undefined },
  signal: AbortSignal,
): Promise<Resolved> {
  const { store, config, by } = opened;
  const intent = await findDoubt(opened, names, account);
  const word: DecisionContext = { by, isWorked: workerOf(config) !== null };
  let left: string[] = [];
  if (typeof said === 'object') {
    await requireThere(opened, intent, said.adopt, signal);
    left = await store.doubts.adopt(intent, said.adopt, word);
  } else if (said === 'retry') await store.doubts.retry(intent, word);
  else await store.doubts.drop(intent, word);
  const after = (await store.doubts.get(intent.id)) ?? intent;
  return { doubt: await doubtOf(store, after), makes: intentKind(intent.kind).makes, left };
}

/** By its number in `jobs list`, or by FLOW/KEY. */
async function findDoubt(opened: Opened, names: readonly Named[], account: string | undefined): Promise<Intent> {
  const [named, more] = names;
  if (named === undefined || more !== undefined)
    throw new UsageError('name one: its number in "jobs list", or FLOW/KEY');
  const accounts = accountNames(opened.config, account);
  // A number also finds a settled doubt, to report it as settled.
  const found = 'id' in named ? [await opened.store.doubts.get(named.id)] : await doubtsNamed(opened, named, account);
  const [only, another] = found.filter((one) => one !== null && accounts.includes(one.account));
  if (only == null) {
    throw new NotFound(`nothing of ${shownName(named)} waits for your decision. List what does: stockbridge jobs list`);
  }
  if (another == null) return only;
  const ids = found.flatMap((one) => (one === null ? [] : `${one.id} (${one.kind} ${one.key})`)).join(', ');
  throw new UsageError(`several of ${shownName(named)} are in doubt: name one by its number: ${ids}`);
}

/** @throws NotFound when neither side has the entity, or it has another entity's id */
async function requireThere(opened: Opened, intent: Intent, id: string, signal: AbortSignal): Promise<void> {
  // The store gives the reason.
  if (namelessBecause(intent.kind) !== null) return;
  const { config, store } = opened;
  const account = accountFor(config, intent.account);
  const { links, makes, madeOn } = intentKind(intent.kind);
  const isText = madeOn === 'erp' || links === 'order';
  const problem = isText
    ? erpIdProblem(id)
    : /^[1-9]\d{0,14}$/.test(id)
      ? null
      : `the id "${id}" is not a whole number`;
  if (problem !== null) throw new UsageError(problem);
  const onMarketplace: Places['onMarketplace'] = (work) =>
    withMarketplace(opened, account, (client) => work(client, { lane: 'operator', signal }));
  const inErp: Places['inErp'] = (work) => withErp(opened, account, work);
  const found = await findCandidate({ store, account, onMarketplace, inErp }, intent, id);
  if (found === null) throw new NotFound(`there is no ${makes} ${id}: nothing was changed`);
  if (found.owner !== null && found.owner !== intent.key) {
    throw new NotFound(
      `${makes} ${id} is linked to ${found.owner}, not to ${intent.key}. Nothing was changed. ` +
        'To change the link: stockbridge map link',
    );
  }
}
