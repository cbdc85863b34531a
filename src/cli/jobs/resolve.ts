import type { Command } from 'commander';
import type { Word } from '../../store/sqlite/doubts.ts';
import { intentKind } from '../../store/sqlite/intent-kinds.ts';
import type { Intent } from '../../store/sqlite/intents.ts';
import { lockHolder } from '../../store/sqlite/lock.ts';
import { accountFor, accountsFor } from '../account.ts';
import { withMarketplace } from '../api/open.ts';
import { UsageError } from '../exit.ts';
import { quietLog } from '../log.ts';
import { erpIdProblem } from '../map/kinds.ts';
import { leftText } from '../map/left.ts';
import { UnknownEntity } from '../map/link.ts';
import { type Cli, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { findCandidate } from './candidate.ts';
import { doubtAsJson, doubtOf } from './doubts.ts';
import { parseNames, shownName, UnknownJob } from './select.ts';
import { doubtsNamed } from './waiting.ts';

interface ResolveOptions {
  readonly adopt?: string;
  readonly retry?: true;
  readonly drop?: true;
  readonly account?: string;
  readonly json?: true;
}

/** Takes an operator's word on a write that can be neither confirmed nor denied. */
export async function resolveDoubt(
  cli: Cli,
  opened: Opened,
  args: readonly string[],
  options: ResolveOptions,
  command: Command,
): Promise<void> {
  const { store, config, by } = opened;
  const { adopt, retry, drop } = options;
  if ([adopt, retry, drop].filter((choice) => choice !== undefined).length !== 1) {
    throw new UsageError('say one of --adopt ID (this is it), --retry (nothing was applied) and --drop (give it up)');
  }
  const intent = await findDoubt(opened, args, options.account);
  const word: Word = { by, isWorked: lockHolder(config.state.dir, 'work') !== null };
  const { makes } = intentKind(intent.kind);
  let left: string[] = [];
  if (adopt !== undefined) {
    await requireThere(cli, opened, intent, adopt, command);
    left = await store.doubts.adopt(intent, adopt, word);
  } else if (retry) await store.doubts.retry(intent, word);
  else await store.doubts.drop(intent, word);
  if (options.json) {
    const after = (await store.doubts.get(intent.id)) ?? intent;
    printJson(cli, { ...doubtAsJson(await doubtOf(store, after)), left });
    return;
  }
  const what = `${intent.kind} ${intent.key}`;
  if (adopt !== undefined) {
    print(cli, `${what}: ${makes} ${adopt} is it`);
    const others = leftText(intent.kind, left);
    if (others !== null) print(cli, others);
  } else if (intent.kind === 'unseen-sale') print(cli, `${what}: ${intent.sent} is not kept back any more`);
  else if (retry) print(cli, `${what}: nothing was applied, so it is tried again`);
  else print(cli, `${what}: dropped; it is held until it changes, or: stockbridge jobs resolve ${intent.id} --retry`);
  noteWhoLooks(cli, config);
}

/** By its number in `jobs list`, or by FLOW/KEY. */
async function findDoubt(opened: Opened, args: readonly string[], account: string | undefined): Promise<Intent> {
  const [named, more] = parseNames(args);
  if (named === undefined || more !== undefined)
    throw new UsageError('name one: its number in "jobs list", or FLOW/KEY');
  const accounts = accountsFor(opened.config, account).map(({ name }) => name);
  // By its number, also what is settled by now is found: that is told.
  const found = 'id' in named ? [await opened.store.doubts.get(named.id)] : await doubtsNamed(opened, named, account);
  const [only, another] = found.filter((one) => one !== null && accounts.includes(one.account));
  if (only == null) {
    throw new UnknownJob(`nothing of ${shownName(named)} waits for your word: "stockbridge jobs list" shows what does`);
  }
  if (another == null) return only;
  const ids = found.flatMap((one) => (one === null ? [] : `${one.id} (${one.kind} ${one.key})`)).join(', ');
  throw new UsageError(`several of ${shownName(named)} are in doubt: name one by its number: ${ids}`);
}

/** @throws UnknownEntity when it is nowhere, or says that it is somebody else's */
async function requireThere(
  cli: Cli,
  { config, store }: Opened,
  intent: Intent,
  id: string,
  command: Command,
): Promise<void> {
  const account = accountFor(config, intent.account);
  const { links, makes, madeOn } = intentKind(intent.kind);
  const isText = madeOn === 'erp' || links === 'order';
  const problem = isText
    ? erpIdProblem(id)
    : /^[1-9]\d{0,14}$/.test(id)
      ? null
      : `the id "${id}" is not a whole number`;
  if (problem !== null) throw new UsageError(problem);
  const log = quietLog(command, cli);
  const found = await findCandidate(
    {
      store,
      account,
      async onMarketplace(work) {
        const answers: Awaited<ReturnType<typeof work>>[] = [];
        await withMarketplace(config, account, log, async (client, signal) => {
          answers.push(await work(client, { lane: 'operator', signal }));
        });
        return answers[0] as Awaited<ReturnType<typeof work>>;
      },
    },
    intent,
    id,
  );
  if (found === null) throw new UnknownEntity(`there is no ${makes} ${id}: nothing was changed`);
  if (found.owner !== null && found.owner !== intent.key) {
    throw new UnknownEntity(
      `${makes} ${id} names ${found.owner} as its other side, and not ${intent.key}: nothing was changed. ` +
        'If it is wrong there, "stockbridge map link" takes your word for it',
    );
  }
}
