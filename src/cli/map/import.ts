import { importMappings, type Problem } from '../../use/mapping/import.ts';
import type { Opened } from '../../use/open.ts';
import { readTextFile } from '../../use/text-file.ts';
import { EXIT } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWorker, type VerbOptions } from '../with-store.ts';

const PROBLEMS_SHOWN = 50;

export async function importFile(
  cli: Cli,
  opened: Opened,
  file: string,
  { account, dryRun = false, yes = false, json }: VerbOptions & { dryRun?: boolean; yes?: boolean },
): Promise<void> {
  const isMeant = async (doubts: readonly Problem[]): Promise<boolean> => {
    if (!json) noteProblems(cli, file, doubts);
    if (yes || dryRun || json || cli.confirm === undefined) return yes;
    return cli.confirm('Link them all the same?');
  };
  const found = await importMappings(opened, readTextFile(file), { account, dryRun, isMeant });
  const { imported, linked, unchanged, kept, errors, doubts } = found;
  if (errors.length + doubts.length > 0) cli.exitCode = EXIT.failed;
  if (json) printJson(cli, { file, imported, dry_run: dryRun, linked, kept, unchanged, errors, doubts });
  else if (errors.length > 0) noteErrors(cli, file, errors, kept);
  else if (doubts.length > 0) note(cli, 'Nothing was imported. Add --yes if all of it is meant.');
  else if (dryRun) print(cli, `${linked} would be linked, ${unchanged} are so already; nothing was changed`);
  else {
    print(cli, `${linked} linked, ${unchanged} were so already`);
    if (linked > 0) noteWorker(cli, opened.config);
  }
}

function noteProblems(cli: Cli, file: string, problems: readonly Problem[]): void {
  for (const { line, message } of problems.slice(0, PROBLEMS_SHOWN)) note(cli, `${file}:${line}: ${message}`);
  const more = problems.length - PROBLEMS_SHOWN;
  if (more > 0) note(cli, `and ${more} more`);
}

function noteErrors(cli: Cli, file: string, errors: readonly Problem[], kept: number): void {
  noteProblems(cli, file, errors);
  if (kept === 0) note(cli, 'Nothing was imported.');
  else
    note(
      cli,
      `${kept} were linked before this conflict appeared: correct it and import the file again. The made links stay.`,
    );
}
