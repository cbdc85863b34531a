import { readFileSync, statSync } from 'node:fs';
import { importMappings, type Problem } from '../../use/mapping/import.ts';
import type { Opened } from '../../use/open.ts';
import { EXIT } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { type Asked, noteWhoLooks } from '../with-store.ts';

const BYTES_MAX = 100 * 1024 * 1024;
const PROBLEMS_SHOWN = 50;

export async function importFile(
  cli: Cli,
  opened: Opened,
  file: string,
  { account, dryRun = false, json }: Asked & { dryRun?: boolean },
): Promise<void> {
  const found = await importMappings(opened, readText(file), { account, dryRun });
  const { imported, linked, unchanged, kept, errors } = found;
  if (errors.length > 0) cli.exitCode = EXIT.failed;
  if (json) printJson(cli, { file, imported, dry_run: dryRun, linked, kept, unchanged, errors });
  else if (errors.length > 0) noteErrors(cli, file, errors, kept);
  else if (dryRun) print(cli, `${linked} would be linked, ${unchanged} are so already; nothing was changed`);
  else {
    print(cli, `${linked} linked, ${unchanged} were so already`);
    if (linked > 0) noteWhoLooks(cli, opened.config);
  }
}

function noteErrors(cli: Cli, file: string, errors: readonly Problem[], kept: number): void {
  for (const { line, message } of errors.slice(0, PROBLEMS_SHOWN)) note(cli, `${file}:${line}: ${message}`);
  const more = errors.length - PROBLEMS_SHOWN;
  if (more > 0) note(cli, `and ${more} more`);
  if (kept === 0) note(cli, 'Nothing was imported.');
  else
    note(
      cli,
      `${kept} were linked before this came in between: mend it and import the file again, what is linked stays.`,
    );
}

function readText(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${file} does not exist`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  if (found.size > BYTES_MAX) throw new Error(`${file} is larger than ${BYTES_MAX} bytes: split it`);
  return readFileSync(file, 'utf8');
}
