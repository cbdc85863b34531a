import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ACCOUNT_NAME, section } from './contradictions.ts';
import { readDocument, type SourceFile } from './document.ts';
import type { Path } from './path.ts';
import type { Problem } from './problem.ts';
import { FILE_BYTES_MAX, readText, type Surroundings } from './references.ts';

const FILES_MAX = 1_000;
const FROM = 'accounts_from';

interface AccountFile {
  readonly file: string;
  readonly source: SourceFile;
}

/**
 * NAME.yaml in the folder `accounts_from` is the section `accounts.NAME`. Paths in these files are relative to the
 * folder of the configuration.
 */
export function withAccountFiles(main: SourceFile, around: Surroundings): SourceFile {
  const wanted = section(main.value)[FROM];
  if (!main.readable || typeof wanted !== 'string') return main;
  const folder = isAbsolute(wanted) ? wanted : join(around.folder, wanted);
  const own = section(section(main.value)['accounts']);
  const problems: Problem[] = [...main.problems];
  const files = new Map<string, AccountFile>();
  const { names, fault } = namesIn(folder);
  if (fault !== null) problems.push({ ...main.place([FROM], 'value'), path: FROM, message: fault });
  for (const name of names) {
    const file = join(folder, name);
    const account = name.replace(/\.ya?ml$/, '');
    const why = unusable(name, account, own);
    const read = why === null ? readText(file, FILE_BYTES_MAX) : { error: why };
    if ('error' in read) {
      problems.push({ file, account, line: null, column: null, path: '', message: read.error });
      continue;
    }
    const source = readDocument(read.text, around);
    const at = `accounts.${account}`;
    problems.push(
      ...source.problems.map((one) => ({ ...one, file, path: one.path === '' ? at : `${at}.${one.path}` })),
    );
    if (source.readable) files.set(account, { file, source });
  }
  return together(main, files, problems);
}

function namesIn(folder: string): { readonly names: readonly string[]; readonly fault: string | null } {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /^[^.].*\.ya?ml$/.test(name));
  } catch (error) {
    return { names: [], fault: `the folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  const fault = names.length > FILES_MAX ? `the folder ${folder} has more than ${FILES_MAX} files of accounts` : null;
  return { names: names.toSorted().slice(0, FILES_MAX), fault };
}

function unusable(name: string, account: string, own: object): string | null {
  if (name.endsWith('.yml')) return `is not read: call it ${account}.yaml`;
  if (!ACCOUNT_NAME.test(account)) {
    return 'is named after no account: expected a small letter, then up to 31 of a-z, 0-9 and "-", then .yaml';
  }
  return Object.hasOwn(own, account) ? `is not read: account ${account} stands in the configuration itself` : null;
}

function together(main: SourceFile, files: ReadonlyMap<string, AccountFile>, problems: Problem[]): SourceFile {
  const whole = section(main.value);
  const values = [...files].map(([name, { source }]) => [name, source.value] as const);
  const at = (path: Path) => {
    const found = path[0] === 'accounts' && typeof path[1] === 'string' ? files.get(path[1]) : undefined;
    return found === undefined ? { source: main, inside: path } : { ...found, inside: path.slice(2) };
  };
  return {
    value: { ...whole, accounts: { ...section(whole['accounts']), ...Object.fromEntries(values) } },
    readable: true,
    problems,
    has(path) {
      const { source, inside } = at(path);
      return source.has(inside);
    },
    origin(path) {
      const { source, inside } = at(path);
      return source.origin(inside);
    },
    place(path, of) {
      const { source, inside, ...named } = at(path);
      return { ...source.place(inside, of), ...named };
    },
  };
}
