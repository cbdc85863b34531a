import { UsageError } from '../../use/faults.ts';
import { type Resolution, resolveDoubt } from '../../use/jobs/resolve.ts';
import { namesOf } from '../../use/jobs/select.ts';
import { shownDoubt } from '../../use/jobs/shown.ts';
import { remainingText } from '../../use/mapping/link.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, print, printJson } from '../output.ts';
import { interruptibly } from '../signals.ts';
import { noteWorker, type VerbOptions } from '../with-store.ts';

interface Choice {
  readonly adopt?: string;
  readonly retry?: true;
  readonly drop?: true;
}

/** Takes an operator's decision about a doubtful write. */
export async function resolve(
  cli: Cli,
  opened: Opened,
  args: readonly string[],
  { account, json, ...choice }: Choice & VerbOptions,
): Promise<void> {
  const said = resolutionOf(choice);
  const names = await namesOf(opened, args, account);
  const { doubt, makes, left } = await interruptibly((signal) =>
    resolveDoubt(opened, names, { said, account }, signal),
  );
  if (json) return printJson(cli, { ...shownDoubt(doubt), left });
  const { id, kind, key, sent } = doubt.intent;
  const what = `${kind} ${key}`;
  if (typeof said === 'object') {
    print(cli, `${what}: ${makes} ${said.adopt} is it`);
    const others = remainingText(kind, makes, left);
    if (others !== null) print(cli, others);
  } else if (kind === 'unseen-sale') print(cli, `${what}: ${sent} is offered to buyers again`);
  else if (said === 'retry') print(cli, `${what}: it was not applied and is retried`);
  else
    print(
      cli,
      `${what}: dropped. It stays held until the entity changes. To retry it now: stockbridge jobs resolve ${id} --retry`,
    );
  noteWorker(cli, opened.config);
}

function resolutionOf({ adopt, retry, drop }: Choice): Resolution {
  if ([adopt, retry, drop].filter((choice) => choice !== undefined).length !== 1) {
    throw new UsageError('say one of --adopt ID (this is it), --retry (nothing was applied) and --drop (give it up)');
  }
  if (adopt !== undefined) return { adopt };
  return retry ? 'retry' : 'drop';
}
