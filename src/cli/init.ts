import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { type LoadedConfig, loadConfigText } from '../config/load.ts';
import { ConfigError } from '../config/problem.ts';
import { STRATEGY_LETTERS } from '../config/schema.ts';
import { counted } from '../domain/counted.ts';
import { STRATEGIES, type StrategyName } from '../domain/strategy.ts';
import type { Whole } from '../use/described.ts';
import { checkSides } from '../use/doctor/doctor.ts';
import { type Finding, worstFault } from '../use/doctor/finding.ts';
import { type Fault, UsageError } from '../use/faults.ts';
import {
  INIT_ERPS,
  INIT_FLOWS,
  type InitErpAnswers,
  type InitErpWhole,
  type InitMarketplace,
  type InitRest,
  initFlowsNamed,
  initText,
  ordersFromNamed,
} from '../use/init.ts';
import { requireUserName } from '../use/users.ts';
import { findingText } from './doctor.ts';
import { EXIT } from './exit.ts';
import { type Answer, askErp, type GivenErp, placeOf, wholeIn } from './init-erp.ts';
import { configPath } from './load.ts';
import { quietLog } from './logs.ts';
import { collect } from './options.ts';
import { type Cli, note, print, printLines } from './output.ts';
import { planAll } from './plan.ts';
import { interruptibly } from './signals.ts';
import { printFirstLogin } from './to-screen.ts';

export const help = `
Each side is called as soon as it is described, with the checks of "stockbridge doctor": nothing is written to either. The file
names where secrets stand, env:NAME or file:PATH, and never holds one. Where nobody sits at a terminal, nothing is asked: give every
answer as an option. A database, files, or an ERP of another kind are described in a YAML file, which --description names: by you, with
the section erp and its lists, finds and writes ("stockbridge guide connect" names the page with an example of each), or by "erp draft"
and "erp connect". What such a whole file settles is not asked for. Your other answers win over the file.
The first user of the screen is named too: who acts there sets the password by a link.

Exit codes: 0 the file is written, 69 a side is down, 77 it refuses the credentials, 64 an answer is missing, 78 one is wrong.

Examples:
  stockbridge init
  stockbridge init --description erp.yaml
  stockbridge init --url https://marketplace.example --key env:MARKETPLACE_KEY --seller 4711 \\
    --erp http --erp-url https://erp.example --erp-secret file:/run/secrets/erp --strategy b --flows order-out`;

interface Options extends GivenErp {
  url?: string;
  key?: string;
  seller?: string;
  strategy?: string;
  currency?: string;
  ordersFrom?: string;
  flows?: string;
  user?: string;
  data: string;
  force?: true;
}

/** `init`: asks for the settings, tests each answer, writes the file and shows the first plan. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--url <address>', 'where the marketplace is')
    .option('--key <place>', 'where its key stands: env:NAME or file:PATH')
    .option('--seller <id>', "the brand's company id on the marketplace")
    .addOption(new Option('--erp <kind>', 'the kind of ERP').choices(Object.keys(INIT_ERPS)))
    .option('--erp-url <address>', 'where the ERP is')
    .option('--erp-secret <place>', 'where its token, key or password stands: env:NAME or file:PATH')
    .option('--set <name=value>', 'a setting of this kind of ERP, such as database=shop', collect, [])
    .option(
      '--description <file>',
      'the file that describes a database, files, or an ERP of another kind, or a whole draft',
    )
    .option('--strategy <name>', 'the inventory strategy, by its name or letter')
    .option('--currency <code>', 'the currency of all prices')
    .option(
      '--orders-from <instant>',
      'the time from which orders count: now, a day such as 2026-11-01 (from midnight UTC), or a date-time with its zone',
    )
    .option(
      '--flows <names>',
      `flows to switch on that are off by default, separated by commas: ${INIT_FLOWS.join(', ')}`,
    )
    .option('--user <name>', `the first user of the screen, who acts and sets a password there (${USUAL.user})`)
    .option('--data <folder>', 'folder of the database', 'data')
    .option('--force', 'replace a file that is there')
    .action((options: Options, init: Command) =>
      run(cli, options, init).catch((error: unknown) => {
        if (!(error instanceof NotReady)) throw error;
        note(cli, error.message);
        cli.exitCode = EXIT[error.fault];
      }),
    );
}

/** Placeholders for later answers. */
const USUAL = {
  strategy: STRATEGY_LETTERS.b,
  currency: 'USD',
  ordersFrom: null,
  flows: [],
  user: 'operator',
} as const satisfies Omit<InitRest, 'data'>;

async function run(cli: Cli, options: Options, command: Command): Promise<void> {
  const path = configPath(command);
  await makeSure(cli, path, options.force === true);
  const answer = answersOf(cli);
  const whole = wholeIn(options.description, options);
  const asGiven: Partial<Options> = { ...whole?.settled, ...options };
  const today = new Date().toISOString().slice(0, '2026-01-31'.length);
  const log = quietLog(command, cli);
  // Each try has its own data folder, so that files read with a wrong description are read again.
  const trying = (textFor: (data: string) => string, side: 'marketplace' | 'erp') =>
    interruptibly(async (signal) => {
      const data = mkdtempSync(join(tmpdir(), 'stockbridge-init-'));
      const findings: Finding[] = [];
      try {
        for await (const finding of checkSides(loaded(cli, path, textFor(data)).config, [side], log, signal)) {
          findings.push(finding);
          printLines(cli, findingText(cli, finding, false));
        }
      } finally {
        rmSync(data, { recursive: true, force: true });
      }
      return worstFault(findings);
    });
  const text = (marketplace: InitMarketplace, erp: InitErpAnswers | InitErpWhole | null, rest: Partial<InitRest>) =>
    initText(marketplace, erp, { ...USUAL, data: options.data, ...rest }, today);

  const marketplace = await untilRight(cli, asGiven, async (given = {}) => {
    const asked = {
      url: await answer(given.url, '--url', 'Where is the marketplace?'),
      key: placeOf(await answer(given.key, '--key', 'Where does its key stand?', 'env:MARKETPLACE_KEY')),
      seller: await answer(given.seller, '--seller', "What is the brand's company id there?"),
    };
    requireReady(await trying((data) => text(asked, null, { data }), 'marketplace'));
    return asked;
  });
  const erp = await untilRight(cli, asGiven, async (given = {}) => {
    const asked = whole === null ? await askErp(answer, given) : await askWhole(cli, answer, given, options);
    requireReady(await trying((data) => text(marketplace, asked, { data }), 'erp'));
    return asked;
  });

  const strategy = await untilRight(cli, asGiven.strategy, async (given) =>
    strategyNamed(
      await answer(given, '--strategy', `Which strategy: ${strategies()}? "guide strategies" compares them`, 'b'),
    ),
  );
  const isAlone = cli.ask === undefined;
  const given = asGiven.currency ?? (isAlone ? USUAL.currency : undefined);
  const currency = await answer(given, '--currency', 'In which currency are all prices?', USUAL.currency);
  const ordersFrom = await untilRight(cli, options.ordersFrom ?? (isAlone ? NOW : undefined), async (instant) =>
    ordersFromNamed(await answer(instant, '--orders-from', FROM_QUESTION, NOW), new Date()),
  );
  const flows = await untilRight(cli, options.flows ?? (isAlone ? '' : undefined), async (names) =>
    initFlowsNamed(
      (await answer(names, '--flows', flowsQuestion(), ' ')).split(/[\s,]+/).filter((name) => name !== ''),
    ),
  );
  const user = await untilRight(cli, options.user ?? (isAlone ? USUAL.user : undefined), async (named) => {
    const name = await answer(named, '--user', 'Who is the first to log in to the screen?', USUAL.user);
    requireUserName(name);
    return name;
  });
  const made = text(marketplace, erp, { strategy, currency, ordersFrom, flows, user });
  const { config } = loaded(cli, path, made);
  write(cli, path, made);
  await planAll(config, { summary: true }, log, cli);
  await printFirstLogin(cli, config, log, user);
  note(
    cli,
    'Next: "stockbridge plan" shows every write, "stockbridge sync" makes them once, "stockbridge run" goes on.',
  );
}

/** A person may correct a refused description, which is then read again. */
async function askWhole(cli: Cli, answer: Answer, given: GivenErp, { description = '' }: Options): Promise<Whole> {
  const file = await answer(given.description, '--description', 'Which file describes the ERP?', description);
  const whole = wholeIn(file, {});
  if (whole === null) throw new UsageError(`${file} is no whole configuration`);
  if (whole.waiting > 0)
    note(
      cli,
      `${counted(whole.waiting, 'line')} with "decide:" in ${file} taken as they stand: "erp connect" settles them.`,
    );
  return whole;
}

function write(cli: Cli, path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  print(cli, `${path} is written.`);
}

/** @throws UsageError when the file exists and nobody confirms its replacement */
async function makeSure(cli: Cli, path: string, force: boolean): Promise<void> {
  if (force || !existsSync(path)) return;
  if ((await cli.confirm?.(`${path} is there already. Replace it?`)) === true) return;
  throw new UsageError(`${path} is there already and stays as it is: --force replaces it, --config names another`);
}

function answersOf(cli: Cli): Answer {
  return async (given, flag, question, usual) => {
    if (given !== undefined) return given;
    if (cli.ask === undefined) throw new UsageError(`nobody sits at a terminal to be asked: give ${flag}`);
    for (;;) {
      const said = await cli.ask(`${question}${usual === undefined || usual === ' ' ? '' : ` [${usual}]`} `);
      const text = said === '' ? usual?.trim() : said;
      if (text !== undefined) return text;
    }
  };
}

/** A side rejects the answers; the printed findings say why. */
class NotReady extends Error {
  override readonly name = 'NotReady';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super('Nothing was written.');
    this.fault = fault;
  }
}

/** @throws NotReady */
function requireReady(fault: Fault | null): void {
  if (fault !== null) throw new NotReady(fault);
}

/**
 * Asks until the answers are right, if a person is there. A wrong answer shows its reason and is asked again; earlier
 * answers stay.
 * @param first the answers from the command line
 */
async function untilRight<Given, T>(cli: Cli, first: Given, ask: (given?: Given) => Promise<T>): Promise<T> {
  for (let given: Given | undefined = first; ; given = undefined) {
    try {
      return await ask(given);
    } catch (error) {
      const isWrong = error instanceof ConfigError || error instanceof UsageError || error instanceof NotReady;
      if (!isWrong || cli.ask === undefined) throw error;
      if (!(error instanceof NotReady)) for (const line of error.message.split('\n')) note(cli, line);
    }
    note(cli, 'Once more:');
  }
}

function loaded(cli: Cli, path: string, text: string): LoadedConfig {
  const whole = loadConfigText(path, text, cli.env);
  cli.secrets.push(...whole.secrets);
  return whole;
}

const strategies = () =>
  Object.entries(STRATEGY_LETTERS)
    .map(([letter, name]) => `${letter} ${name}`)
    .join(', ');

function strategyNamed(text: string): StrategyName {
  const name = Object.entries(STRATEGY_LETTERS).find(([letter]) => letter === text)?.[1] ?? text;
  if (Object.hasOwn(STRATEGIES, name)) return name as StrategyName;
  throw new UsageError(`"${text}" is no strategy: ${strategies()}`);
}

const NOW = 'now';
const FROM_QUESTION =
  'From when do orders count? Those from before stay out of the ERP when they are over, and wait for your word when they are open:';

const flowsQuestion = () =>
  `Products, stock and orders are kept in step. What else, of ${INIT_FLOWS.join(', ')} (Enter: nothing)?`;
