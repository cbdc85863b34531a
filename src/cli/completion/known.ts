import type { Argument, Command, Option } from 'commander';
import { loadUsable } from '../../config/load.ts';
import type { Log } from '../../logging/logging.ts';
import { textRedactor } from '../../logging/redaction.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { fileFields } from '../../use/api/schema.ts';
import { listPlans } from '../../use/brakes.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { withOpened } from '../../use/open.ts';
import { ALL_FLOWS, PAUSABLE } from '../../use/pauses.ts';
import {
  configIn,
  FILES,
  type Node,
  type Offer,
  type OperationWords,
  offer,
  type Source,
  type Words,
} from './words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The values of options and arguments, by name. */
const BY_NAME: Readonly<Record<string, Source>> = {
  '--account': ':accounts',
  '--flow': PAUSABLE.filter((flow) => flow !== ALL_FLOWS).map((flow) => offer(flow)),
  '--kind': KINDS.map((kind) => offer(kind)),
  '--config': FILES,
  flow: PAUSABLE.map((flow) => offer(flow)),
  kind: KINDS.map((kind) => offer(kind)),
  plan: ':plans',
  file: FILES,
};

/** All words. Loads every verb. */
export async function wordsOf(program: Command, defineVerb: (verb: Command) => Promise<void>): Promise<Words> {
  for (const verb of program.commands) await defineVerb(verb);
  const operations = Object.values(OPERATIONS).map((operation): [string, OperationWords] => {
    const { id, summary, pathParams, query } = operation;
    const params = [...Object.keys(pathParams.shape), ...Object.keys(query.shape)];
    return [id, { summary, params, files: [...fileFields(operation).keys()] }];
  });
  return { program: nodeOf(program), operations: Object.fromEntries(operations) };
}

function nodeOf(command: Command): Node {
  const options = command.options.flatMap((option) => {
    const { long, description } = option;
    return long == null ? [] : [[long, { summary: description, takes: takenBy(option) }] as const];
  });
  return {
    summary: command.description(),
    commands: Object.fromEntries(command.commands.map((below) => [below.name(), nodeOf(below)])),
    options: Object.fromEntries(options),
    args: command.registeredArguments.map(valuesOf),
  };
}

function takenBy(option: Option): Source | null {
  const { required, optional, argChoices, flags, long } = option;
  if (!required && !optional) return null;
  if (argChoices !== undefined) return argChoices.map((word) => offer(word));
  return BY_NAME[long ?? ''] ?? (flags.includes('<file>') ? FILES : []);
}

function valuesOf(argument: Argument): Source {
  return argument.argChoices?.map((word) => offer(word)) ?? BY_NAME[argument.name()] ?? [];
}

/** The accounts of the configuration that the words name; none if it cannot be read. */
export function accountsIn(words: readonly string[], env: Environment): string[] {
  try {
    return loadUsable(configIn(words), env).config.accounts.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Plans held by a brake, by number and hash; none if the database cannot be read. */
export async function plansIn(words: readonly string[], env: Environment, log: Log): Promise<Offer[]> {
  try {
    const { config, secrets } = loadUsable(configIn(words), env);
    return await withOpened({ config, log, redact: textRedactor(secrets) }, 'refuse', async (opened) => {
      const plans = await listPlans(opened, undefined, Date.now());
      return plans.flatMap(({ hash, plan, items }) => {
        const told = `${plan.account}: ${plan.kind}, ${items.length}`;
        return [offer(String(plan.id), told), offer(hash, told)];
      });
    });
  } catch {
    return [];
  }
}
