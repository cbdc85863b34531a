import { existsSync, writeFileSync } from 'node:fs';
import { counted } from '../../domain/counted.ts';
import { draftFrom, namedIn, secretsOf } from '../../use/erp/draft.ts';
import { UsageError } from '../../use/faults.ts';
import { type Cli, note, printLines } from '../output.ts';
import { interruptibly } from '../signals.ts';

interface Options {
  readonly from: string;
  readonly as: 'rest' | 'files';
  readonly to?: string;
  readonly table: readonly string[];
}

export function draftErp(cli: Cli) {
  return async ({ from, as, to, table }: Options): Promise<void> => {
    cli.secrets.push(...secretsOf(from));
    if (to !== undefined && existsSync(to))
      throw new UsageError(`${to} is there already and stays as it is: --to names another`);
    await interruptibly(async (signal) => {
      const { text, toDecide, variables } = await draftFrom(
        { from, as, password: cli.env['ERP_PASSWORD'], named: namedIn(table) },
        signal,
      );
      if (to === undefined) printLines(cli, text.trimEnd());
      else writeFileSync(to, text, { mode: 0o600, flag: 'wx' });
      const file = to ?? 'FILE';
      note(
        cli,
        `${counted(toDecide, 'line')} with "decide:" ${toDecide === 1 ? 'waits' : 'wait'} for you. Nothing was written to the ERP.`,
      );
      note(
        cli,
        `Next: ${to === undefined ? 'save it, ' : ''}settle these lines, set ${variables.join(' and ')}, and then:`,
      );
      note(cli, `  stockbridge --config ${file} erp try products --limit 2`);
      note(cli, `  stockbridge --config ${file} erp check`);
    });
  };
}
