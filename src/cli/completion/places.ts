import type { Command } from 'commander';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { fileFields } from '../../use/api/schema.ts';

/** A place on the line, and everything that may be typed there. */
export interface Place {
  /** The words before it, options left out: nothing, `jobs`, `jobs list`, `api orders.get`. */
  readonly path: string;
  readonly words: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly Option[];
  /** Names after `--param` and after `--file`. */
  readonly params: readonly string[];
  readonly files: readonly string[];
}

export interface Option {
  /** `--param` */
  readonly flag: string;
  readonly summary: string;
  readonly takesValue: boolean;
}

const HELP: Option = { flag: '--help', summary: 'show the help', takesValue: false };
const NOTHING = { words: [], options: [], params: [], files: [] } as const;

/** Every place of a program whose verbs are all defined. The first is the beginning, whose options go everywhere. */
export function placesOf(program: Command): readonly [Place, ...Place[]] {
  const operations = Object.values(OPERATIONS) as Operation[];
  const [start, ...verbs] = placesBelow(program, '');
  return [
    { ...start, options: [...start.options, HELP] },
    ...verbs.map((place) =>
      place.path === 'api' ? { ...place, words: operations.map(({ id, summary }) => ({ name: id, summary })) } : place,
    ),
    ...operations.map((operation) => ({
      ...NOTHING,
      path: `api ${operation.id}`,
      params: [...Object.keys(operation.pathParams.shape), ...Object.keys(operation.query.shape)],
      files: [...fileFields(operation).keys()],
    })),
  ];
}

function placesBelow(command: Command, path: string): [Place, ...Place[]] {
  const { commands } = command;
  const options = command.options.flatMap(({ long, description, required, optional }) =>
    long == null ? [] : [{ flag: long, summary: description, takesValue: required || optional }],
  );
  const words = commands.map((verb) => ({ name: verb.name(), summary: verb.description() }));
  const below = commands.flatMap((verb) => placesBelow(verb, `${path} ${verb.name()}`.trim()));
  return [{ ...NOTHING, path, words, options }, ...below];
}

/** Every option that a value follows. */
export function valuedFlags(places: readonly Place[]): string[] {
  const valued = places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  return [...new Set(valued.map(({ flag }) => flag))];
}

/** The places after the first that another word may follow, quoted for a shell. */
export function openPaths(places: readonly Place[]): string[] {
  return places.filter(({ path, words }) => path !== '' && words.length > 0).map(({ path }) => `'${path}'`);
}

/** Options whose value is the path of a file. */
export const FILE_FLAGS = ['--config', '--body'];
