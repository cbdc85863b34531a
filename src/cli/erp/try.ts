import type { Command } from 'commander';
import { didYouMean } from '../../config/suggest.ts';
import { counted } from '../../domain/counted.ts';
import { instantNs } from '../../domain/instant.ts';
import { isSecretName, textRedactor } from '../../logging/redaction.ts';
import { accountFor } from '../../use/accounts.ts';
import { withErp } from '../../use/api/open.ts';
import { FINDS, failureText, LISTS, recordingWire, type Trial, tryFind, tryList } from '../../use/erp/try.ts';
import { UsageError } from '../../use/faults.ts';
import { exitCodeOf } from '../exit.ts';
import { loadFor } from '../load.ts';
import { quietLog } from '../logs.ts';
import { type Cli, lineWidth, note, paint, print, printJson, printLines } from '../output.ts';
import { interruptibly } from '../signals.ts';
import { entry } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';

interface Options extends VerbOptions {
  readonly since?: string;
  readonly limit: number;
}

export function tryErp(cli: Cli) {
  return async (what: string, values: readonly string[], options: Options, command: Command): Promise<void> => {
    const { since = null, limit, account: name, json } = options;
    checkAsked(what, values, since);
    const { config } = loadFor(command, cli);
    const account = accountFor(config, name);
    const { wire, exchanges } = recordingWire();
    await interruptibly(async (signal) => {
      const log = quietLog(command, cli);
      const trial = await withErp(
        { config, log },
        account,
        (erp) =>
          what in LISTS
            ? tryList(erp, exchanges, what, { since, limit }, signal)
            : tryFind(erp, exchanges, what, values, signal),
        wire,
      );
      const safe = withoutSecrets(cli, account.erp.section, trial);
      if (json) printJson(cli, { ...safe, failure: trial.failure === null ? null : failureText(trial.failure) });
      else printTrial(cli, safe);
      if (trial.failure !== null) {
        cli.exitCode = exitCodeOf(trial.failure);
        note(cli, textRedactor(cli.secrets)(failureText(trial.failure)));
      }
    });
  };
}

function checkAsked(what: string, values: readonly string[], since: string | null): void {
  const names = [...Object.keys(LISTS), ...Object.keys(FINDS)];
  if (!names.includes(what)) {
    throw new UsageError(`there is no "${what}"${didYouMean(what, names) || '.'} It is one of ${names.join(', ')}`);
  }
  if (what in LISTS && values.length > 0) throw new UsageError(`a list takes no value: ${values.join(', ')}`);
  if (since !== null && instantNs(since) === null) {
    throw new UsageError(`--since ${since} is no time; write it as 2026-01-31T08:30:00Z`);
  }
}

function credentialHeaders(section: object): ReadonlySet<string> {
  const found = new Set<string>();
  const { auth } = section as { readonly auth?: { readonly header?: unknown } };
  if (typeof auth?.header === 'string') found.add(auth.header.toLowerCase());
  const look = (part: unknown, isHeaders: boolean): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, value] of Object.entries(part)) {
      if (isHeaders && typeof value === 'string' && value.includes('$auth')) found.add(name.toLowerCase());
      look(value, name === 'headers');
    }
  };
  look(section, false);
  return found;
}

/** Common names of session headers. */
const SESSION = /session(-?id)?$/i;

/** Masks secrets in their headers and everywhere else. */
function withoutSecrets(cli: Cli, section: object, trial: Trial): Trial {
  const redact = textRedactor(cli.secrets);
  const credentials = credentialHeaders(section);
  const isTelling = (name: string) => credentials.has(name.toLowerCase()) || isSecretName(name) || SESSION.test(name);
  const masked = (text: string) => {
    const [head = '', ...body] = text.split('\n\n');
    const hidden = head.replaceAll(/^([\w-]+)(:[ \t]*).+$/gm, (line, name: string, mark: string) =>
      isTelling(name) ? `${name}${mark}***` : line,
    );
    return redact([hidden, ...body].join('\n\n'));
  };
  const exchanges = trial.exchanges.map(({ operation, request, answer }) => {
    return { operation, request: masked(request), answer: answer === null ? null : masked(answer) };
  });
  return {
    ...trial,
    exchanges,
    leftOut: trial.leftOut.map(({ path, example }) => ({ path, example: redact(example) })),
  };
}

/** The most characters of a text shown; `--json` shows all. */
const SHOWN_CHARACTERS = 2_000;

function printTrial(cli: Cli, { exchanges, rows, invalidRows, asOf, complete, leftOut }: Trial): void {
  const heading = (text: string) => print(cli, paint(cli, cli.stdout, 'bold', text));
  for (const { operation, request, answer } of exchanges) {
    heading(`sent: ${operation}`);
    printText(cli, request);
    heading(answer === null ? 'received: no answer' : 'received:');
    if (answer !== null) printText(cli, answer);
  }
  const said =
    complete === null ? '' : `, as of ${asOf}, ${complete ? 'complete' : 'not said to be complete, or cut by --limit'}`;
  heading(`made of it: ${counted(rows.length, 'row')}${said}`);
  for (const row of rows) printLines(cli, JSON.stringify(row, null, 2));
  if (invalidRows.length > 0) heading(`set aside: ${counted(invalidRows.length, 'row')}`);
  for (const { what, path, message } of invalidRows)
    printLines(cli, entry(`${what}: ${path}: ${message}`, lineWidth(cli, 100), '  '));
  if (leftOut.length === 0) return;
  heading('fields of the answer that no row has, by name or by value:');
  for (const { path, example } of leftOut) print(cli, `  ${path}: ${example}`);
}

/** Keeps the text's own lines. */
function printText(cli: Cli, text: string): void {
  for (const line of text.slice(0, SHOWN_CHARACTERS).split('\n')) print(cli, `  ${line}`);
  const more = text.length - SHOWN_CHARACTERS;
  if (more > 0) print(cli, `  ... ${more} characters more; --json shows all`);
}
