import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { counted } from '../../../domain/counted.ts';
import { isOfErp, nextStep } from '../../../use/erp/connect.ts';
import { namedIn } from '../../../use/erp/draft.ts';
import { waitingIn } from '../../../use/erp/waiting.ts';
import { UsageError } from '../../../use/faults.ts';
import { EXIT } from '../../exit.ts';
import { configPath } from '../../load.ts';
import { quietLog } from '../../logs.ts';
import { type Cli, note } from '../../output.ts';
import { Interrupted } from '../../signals.ts';
import { perform } from './steps.ts';
import { forget, look, type Walk } from './walk.ts';

type Options = Pick<Walk, 'as'> & Partial<Pick<Walk, 'from' | 'account'>> & { readonly table: readonly string[] };

/** Leads step by step to a proven description. Each step reads the file again. */
export function connectErp(cli: Cli) {
  return async ({ from, as, account, table }: Options, command: Command): Promise<void> => {
    const { ask } = cli;
    const path = configPath(command);
    if (ask === undefined) throw new UsageError(alone(path));
    const said = async (question: string) => {
      const reply = await ask(question);
      if (reply === 'leave') throw new Interrupted('left');
      return reply;
    };
    const log = quietLog(command, cli);
    const source = { as, from, named: namedIn(table) };
    const walk: Walk = { cli, log, path, account, ...source, said, later: new Set(), skus: [], seen: null };
    try {
      await walkOn(walk);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      cli.exitCode = EXIT.tryAgain;
      if (existsSync(path)) note(cli, `Your answers so far are in ${path}.`);
      note(cli, again(path));
    } finally {
      forget(walk);
    }
  };
}

const alone = (path: string) =>
  `nobody sits at a terminal to be asked. These go the same way, one at a time: "stockbridge erp draft --from SOURCE --to ${path}", "stockbridge --config ${path} erp try products", "stockbridge --config ${path} erp check"`;
const again = (path: string) => `Go on with: stockbridge --config ${path} erp connect`;

async function walkOn(walk: Walk): Promise<void> {
  for (;;) {
    const { known, usable } = look(walk);
    const step = nextStep(known);
    if (step.does === 'end') return end(walk, known.text ?? '');
    await perform(walk, step, usable);
  }
}

function end({ cli, path, later }: Walk, text: string): void {
  if (later.size > 0) {
    cli.exitCode = EXIT.tryAgain;
    note(cli, `${counted(later.size, 'step')} put off. ${again(path)}`);
    return;
  }
  const isWhole = waitingIn(text).every((one) => isOfErp(one.path));
  const next = isWhole ? `--config ${path} doctor` : `init --description ${path}`;
  note(cli, `The ERP passed every test. Next: stockbridge ${next}`);
}
