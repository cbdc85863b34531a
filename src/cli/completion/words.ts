import type { Command } from 'commander';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { fileFields } from '../../use/api/schema.ts';

/** Everything that can be typed. */
export interface Words {
  /** Options of every verb. */
  readonly options: readonly Option[];
  readonly verbs: readonly Verb[];
  readonly operations: readonly OperationWords[];
}

export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  readonly verbs: readonly Verb[];
}

export interface Option {
  /** `--param` */
  readonly flag: string;
  readonly summary: string;
  readonly takesValue: boolean;
}

export interface OperationWords {
  readonly id: string;
  readonly summary: string;
  readonly params: readonly string[];
  readonly files: readonly string[];
}

/** The words of the program with all its verbs defined. */
export function wordsOf(program: Command): Words {
  const { options, verbs } = verbOf(program);
  const operations = (Object.values(OPERATIONS) as Operation[]).map((operation) => ({
    id: operation.id,
    summary: operation.summary,
    params: [...Object.keys(operation.pathParams.shape), ...Object.keys(operation.query.shape)],
    files: [...fileFields(operation).keys()],
  }));
  return { options: [...options, { flag: '--help', summary: 'show the help', takesValue: false }], verbs, operations };
}

function verbOf(command: Command): Verb {
  const options = command.options.flatMap(({ long, description, required, optional }) =>
    long == null ? [] : [{ flag: long, summary: description, takesValue: required || optional }],
  );
  return { name: command.name(), summary: command.description(), options, verbs: command.commands.map(verbOf) };
}

/** The verbs of a line without its options: every way there is, `jobs` and `jobs list`, each with its verb. */
export function pathsOf(verbs: readonly Verb[], before = ''): (readonly [path: string, verb: Verb])[] {
  return verbs.flatMap((verb) => {
    const path = before === '' ? verb.name : `${before} ${verb.name}`;
    return [[path, verb] as const, ...pathsOf(verb.verbs, path)];
  });
}

/** Every option that a value follows. */
export function valuedFlags({ options, verbs }: Words): string[] {
  const all = [...options, ...pathsOf(verbs).flatMap(([, verb]) => verb.options)];
  return [...new Set(all.filter(({ takesValue }) => takesValue).map(({ flag }) => flag))];
}

/** Options whose value is the path of a file. */
export const FILE_FLAGS = ['--config', '--body'];
