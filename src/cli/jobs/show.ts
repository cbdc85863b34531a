import { sentenceOf, shownCause } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { moneyText } from '../../domain/money-text.ts';
import { type Dossier, dossierNamed, type Shown } from '../../use/jobs/dossier.ts';
import { namesOf } from '../../use/jobs/select.ts';
import { choiceTexts, isDoubt, shownDossier, stateOf } from '../../use/jobs/shown.ts';
import type { Opened } from '../../use/open.ts';
import { fieldsText } from '../explain-text.ts';
import { type Cli, note, paint, print, printJson } from '../output.ts';
import { causeText, shownInstant, wrap } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';
import { stateText, typedName } from './doubts.ts';

const WIDTH = 110;
const LABEL = 13;

/** Prints all that is known of a failed job or any key. */
export async function showJob(cli: Cli, opened: Opened, args: readonly string[], options: VerbOptions): Promise<void> {
  const { dossier, namesake } = await dossierNamed(
    opened,
    await namesOf(opened, args, options.account),
    options.account,
  );
  if (options.json) printJson(cli, shownDossier(dossier));
  else printDossier(cli, dossier);
  if (namesake !== null) {
    const { id, kind, key, account } = namesake;
    const there = opened.config.accounts.length === 1 ? '' : ` --account ${account}`;
    note(
      cli,
      `${id} is also ${kind} ${key}, ${stateText(namesake)}: stockbridge jobs show ${typedName(namesake)}${there}`,
    );
  }
}

function printDossier(cli: Cli, dossier: Dossier): void {
  const { target, failed, work, invalidRow, alerts, marketplace, erp, creates, journal } = dossier;
  const once = sayingOnce(failed === null ? [] : [failed.message]);
  print(cli, paint(cli, cli.stdout, 'bold', `${target.flow} ${target.key} of ${target.account}`));
  if (failed !== null) {
    const tried = counted(failed.attempts, 'attempt');
    printPart(cli, 'failed', [
      `job ${failed.id}, ${shownInstant(failed.failedAtMs)}, after ${tried}: ${failed.cause}`,
      failed.message,
    ]);
  }
  printPart(cli, 'work', [workText(dossier)]);
  if (work !== null && stateOf(work) === 'held')
    printPart(
      cli,
      'held',
      (work.heldFor ?? []).map((one) => causeText(shownCause(one))),
    );
  if (invalidRow !== null) printPart(cli, 'invalid row', [invalidRow]);
  if (alerts.length > 0)
    printPart(
      cli,
      'alert',
      alerts.map((one) => causeText(shownCause(one))),
    );
  printPart(cli, 'marketplace', [sideText(marketplace)]);
  printPart(cli, 'ERP', [sideText(erp)]);
  printPart(cli, 'link', [linkText(dossier)]);
  if (creates.length > 0)
    printPart(
      cli,
      'creates',
      creates.map((intent) => createText(intent, once)),
    );
  printPart(
    cli,
    'journal',
    journal.length === 0 ? ['nothing was written'] : journal.map((row) => journalText(row, once)),
  );
  for (const line of nextSteps(dossier)) note(cli, line);
}

function printPart(cli: Cli, label: string, texts: readonly string[]): void {
  const indent = ' '.repeat(LABEL);
  const lines = texts.flatMap((text) => {
    const [head = '', ...more] = wrap(text, WIDTH, indent);
    return [head, ...more.map((line) => `  ${line}`)];
  });
  const [first = '', ...rest] = lines;
  print(cli, paint(cli, cli.stdout, 'dim', label) + first.slice(label.length));
  for (const line of rest) print(cli, line);
}

function workText({ work }: Dossier): string {
  if (work === null) return 'nothing is left to do';
  const { sinceMs, heldSinceMs, reason } = work;
  const state = stateOf(work);
  const waits = { pending: 'to be looked at', held: 'held', failed: 'failed' }[state];
  const since = state === 'held' ? (heldSinceMs ?? sinceMs) : sinceMs;
  return `${waits}, since ${shownInstant(since)}; last: ${reason}`;
}

function linkText({ link }: Dossier): string {
  if (link === null) return 'none';
  const { marketplaceId, erpId, state, how } = link;
  if (state === 'create-pending') return 'not yet: see what was tried under creates';
  return `marketplace ${marketplaceId} is ERP ${erpId} (${how})`;
}

function sideText(side: Shown | null): string {
  return side === null ? 'not known' : fieldsText(side);
}

type Intent = Dossier['creates'][number];

type Once = (text: string) => string;

const LONG = 60;

/** Replaces a repeated long text, such as a refusal, by `as above`. */
function sayingOnce(said: readonly string[]): Once {
  const known = new Set(said);
  return (text) => {
    if (text.length < LONG || !known.has(text)) {
      known.add(text);
      return text;
    }
    return 'as above';
  };
}

const STATES = {
  open: 'not settled yet',
  applied: 'applied',
  refused: 'not applied',
  'in-doubt': 'in doubt',
  dropped: 'dropped',
} as const;

function createText({ kind, key, state, sentAtMs, evidence }: Intent, once: Once): string {
  const what = STATES[state];
  return `${shownInstant(sentAtMs)} ${kind} ${key}: ${what}${evidence === null ? '' : ` (${once(sentenceOf(evidence))})`}`;
}

function journalText(
  { atMs, outcome, action, target, before, after, why, answer }: Dossier['journal'][number],
  once: Once,
): string {
  const change = before === null && after === null ? '' : `: ${moneyText(before ?? '-')} -> ${moneyText(after ?? '-')}`;
  const said = answer === '' ? '' : `; answer: ${once(answer)}`;
  return `${shownInstant(atMs)} ${outcome} ${action} ${target}${change}; ${why}${said}`;
}

function nextSteps({ failed, work, creates }: Dossier): string[] {
  const doubt = creates.find((intent) => isDoubt(intent, work));
  if (doubt !== undefined) {
    return ['Nothing is written before you decide:', ...choiceTexts(doubt).map((choice) => `  ${choice}`)];
  }
  if (failed !== null && work?.state !== 'pending')
    return [`Once the cause is gone: stockbridge jobs replay ${failed.id}`];
  return [];
}
