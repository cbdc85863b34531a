import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import { textRedactor } from '../../../logging/redaction.ts';
import { checkConfigured, type Finding } from '../../../use/erp/check.ts';
import { linesBehind, nameOf, placesOf, type Step, tryBeginning } from '../../../use/erp/connect.ts';
import { draftFrom, secretsOf } from '../../../use/erp/draft.ts';
import type { Trial } from '../../../use/erp/try.ts';
import { type Lines, settledText, waitingIn } from '../../../use/erp/waiting.ts';
import { UsageError } from '../../../use/faults.ts';
import { placeOf } from '../../init-erp.ts';
import { lineWidth, note, print, printLines } from '../../output.ts';
import { Interrupted, interruptibly } from '../../signals.ts';
import { entry } from '../../table.ts';
import { findingText, printSummary } from '../check.ts';
import { forget, type Usable, type Walk } from './walk.ts';

type Does = Exclude<Step['does'], 'end'>;
type Of<Name extends Does> = Extract<Step, { does: Name }>;
type Perform<Name extends Does> = (walk: Walk, step: Of<Name>, usable: Usable) => Promise<void>;

const STEPS: { readonly [Name in Does]: Perform<Name> } = {
  draft,
  settle,
  'place-secret': placeSecret,
  correct,
  try: tryNext,
  'mend-list': mendList,
  check,
  mend,
  'name-products': nameProducts,
};

/** Does a step with the person, who may edit the file. */
export async function perform(walk: Walk, step: Exclude<Step, { does: 'end' }>, usable: Usable | null): Promise<void> {
  // A step that needs a usable description follows only if there is one.
  await (STEPS[step.does] as Perform<Does>)(walk, step, usable as Usable);
}

async function draft(walk: Walk): Promise<void> {
  const { cli, path, as, named } = walk;
  if (walk.from === undefined) note(cli, SOURCES);
  const from = walk.from ?? (await walk.said('What describes the ERP (leave)? '));
  walk.from = undefined;
  if (from === '') return;
  cli.secrets.push(...secretsOf(from));
  try {
    const asked = { from, as, password: cli.env['ERP_PASSWORD'], named };
    const { text, toDecide } = await interruptibly((signal) => draftFrom(asked, signal));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    print(cli, `${path} is written: a first description, with ${counted(toDecide, 'line')} to decide.`);
  } catch (error) {
    if (error instanceof Interrupted || !(error instanceof Error)) throw error;
    note(cli, textRedactor(cli.secrets)(error.message));
  }
}

const SOURCES =
  'A first description is made of an OpenAPI 3 document (a file or an address), a sample answer in JSON or a folder of them, a folder of exports, or a database: postgres://USER@HOST/DATABASE or mariadb://..., with its password in ERP_PASSWORD.';

async function settle(walk: Walk, { name, waiting, left }: Of<'settle'>): Promise<void> {
  const { path, later } = walk;
  const more = left === 1 ? 'the last one to decide' : `${left} to decide`;
  showLines(walk, readFileSync(path, 'utf8'), waiting.lines);
  const isLine = waiting.value !== null;
  const asks = isLine ? 'Its value, or Enter if it is right' : 'Change these lines in the file, then ok';
  const reply = await walk.said(`${asks} (${more}; later, leave): `);
  if (reply === 'later') later.add(name);
  else if (isLine) settleNow(walk, name, reply === '' ? null : reply);
  else if (reply === 'ok') settleNow(walk, name, null);
}

/** The person may have edited the file before answering. */
function settleNow({ path }: Walk, name: string, typed: string | null): void {
  const text = readFileSync(path, 'utf8');
  const waiting = waitingIn(text).find((one) => nameOf(one) === name);
  if (waiting !== undefined) writeFileSync(path, settledText(text, waiting, typed));
}

async function placeSecret(walk: Walk, { variable }: Of<'place-secret'>): Promise<void> {
  const reply = await walk.said(
    `The environment variable ${variable} is not set. Where does this secret stand: env:NAME or file:PATH? (leave, to set it and go on): `,
  );
  if (reply === '') return;
  try {
    const text = readFileSync(walk.path, 'utf8');
    writeFileSync(
      walk.path,
      text.replaceAll(`\${env:${variable}}`, () => `\${${placeOf(reply)}}`),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    note(walk.cli, error.message);
  }
}

async function correct(walk: Walk, { problem }: Of<'correct'>): Promise<void> {
  printLines(walk.cli, textRedactor(walk.cli.secrets)(problem));
  await walk.said('Change the file, then Enter (leave): ');
}

async function tryNext({ cli, log }: Walk, { list }: Of<'try'>, { config, account, seen }: Usable): Promise<void> {
  const trial = await interruptibly((signal) => tryBeginning({ config, account, log, signal }, list));
  seen.tried.set(list, trial);
  const [first] = trial.rows;
  if (trial.failure !== null || (first === undefined && trial.invalidRows.length > 0)) return;
  print(cli, `${list}: ${first === undefined ? 'no row' : 'is read. Its first row:'}`);
  if (first !== undefined) printLines(cli, JSON.stringify(first, null, 2));
}

async function mendList(walk: Walk, { name, list, trial }: Of<'mend-list'>, usable: Usable): Promise<void> {
  const { cli, path } = walk;
  print(cli, `${list}: cannot be read`);
  printLines(
    cli,
    whyOf(trial).flatMap((text) => entry(textRedactor(cli.secrets)(text), lineWidth(cli, 100), '  ')),
  );
  showLines(walk, usable.text, linesBehind(usable.text, usable.account.name, [['lists', list]]));
  print(cli, `stockbridge --config ${path} erp try ${list}: shows what is sent and received`);
  await change(walk, name);
}

function whyOf({ failure, invalidRows }: Trial): string[] {
  if (failure !== null) return [failure.message];
  return invalidRows.map(({ what, path, message }) => `${what}: ${path}: ${message}`);
}

async function check(walk: Walk, _: Of<'check'>, { config, account, seen }: Usable): Promise<void> {
  const { cli, log, skus } = walk;
  const findings: Finding[] = [];
  const most = skus.length > 0 ? 'writes' : 'reads';
  const left = await interruptibly((signal) =>
    checkConfigured({ config, account, log, signal }, { skus, most }, (finding) => findings.push(finding)),
  );
  seen.findings = findings;
  printSummary(cli, findings, left);
}

async function mend(walk: Walk, { name, finding }: Of<'mend'>, { text, account }: Usable): Promise<void> {
  printLines(walk.cli, findingText(walk.cli, finding));
  showLines(walk, text, linesBehind(text, account.name, placesOf(finding.name)));
  await change(walk, name);
}

async function change(walk: Walk, name: string): Promise<void> {
  const reply = await walk.said('Change the file or the ERP, then Enter (later, leave): ');
  if (reply === 'later') walk.later.add(name);
  else forget(walk);
}

async function nameProducts(walk: Walk, { name }: Of<'name-products'>, { seen }: Usable): Promise<void> {
  const reply = await walk.said(
    'To test the writes, orders of two products are created and cancelled again. Which two SKUs can be used, because nobody sells them meanwhile? Separate them by a space (later, leave): ',
  );
  const skus = reply.split(/\s+/).filter((sku) => sku !== '');
  if (reply === 'later') walk.later.add(name);
  else if (skus.length !== 2) note(walk.cli, `expected two SKUs, and not ${skus.length}`);
  else {
    walk.skus = skus;
    seen.findings = null;
  }
}

/** The most lines of the file shown. */
const MOST_LINES = 40;

function showLines({ cli, path }: Walk, text: string, lines: Lines | null): void {
  if (lines === null) return;
  const all = text.split('\n').slice(lines.from - 1, lines.to);
  for (const [at, line] of all.slice(0, MOST_LINES).entries()) print(cli, `${path}:${lines.from + at}: ${line}`);
  if (all.length > MOST_LINES) print(cli, `${path}: and ${all.length - MOST_LINES} lines more`);
}
