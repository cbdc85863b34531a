import { sentencesOf, shownCause } from '../../domain/causes/cause.ts';
import { NotFound } from '../../use/faults.ts';
import { choicesOf, type Doubt, doubtsNamed, targetOf } from '../../use/jobs/doubts.ts';
import { type Named, shownName } from '../../use/jobs/select.ts';
import type { Opened } from '../../use/open.ts';
import { shownInstant } from '../table.ts';

/** The choices of an operator, as they are typed. */
export function choiceTexts(intent: Doubt['intent']): string[] {
  const resolve = `stockbridge jobs resolve ${intent.id}`;
  const { adopt, candidates, drop } = choicesOf(intent);
  const ids = candidates.length === 0 ? ['ID'] : candidates;
  return [
    ...(adopt ? ids.map((id) => `${resolve} --adopt ${id}`) : []),
    `${resolve} --retry`,
    ...(drop ? [`${resolve} --drop`] : []),
  ];
}

const STATES = { 'in-doubt': 'in doubt', open: 'not settled', dropped: 'dropped' } as const;

export function stateText({ state }: Doubt['intent']): string {
  return Object.hasOwn(STATES, state) ? STATES[state as keyof typeof STATES] : state;
}

/** As paragraphs: its name, the request, the findings. */
export function doubtTexts({ intent, sent, found }: Doubt, several: boolean): string[] {
  const { id, account, kind, key, sentAtMs } = intent;
  const where = several ? ` of ${account}` : '';
  return [
    `${id}: ${kind} ${key}${where}, begun ${shownInstant(sentAtMs)}, ${stateText(intent)}`,
    ...(sent === null ? [] : [`  sent: ${sent}`]),
    `  found: ${found.length === 0 ? 'nothing' : sentencesOf(found)}`,
  ];
}

export function doubtAsJson({ intent, sent, found }: Doubt) {
  const { id, account, kind, key, state, sentAtMs } = intent;
  return {
    id,
    account,
    flow: targetOf(intent).flow,
    kind,
    key,
    state,
    begun_at: new Date(sentAtMs).toISOString(),
    sent,
    evidence: found.map(shownCause),
    candidates: choicesOf(intent).candidates,
    choices: choiceTexts(intent),
  };
}

/**
 * Refuses the named jobs that are not among the failed ones. Where an entity in doubt has that name, the message shows
 * the choices that it waits for.
 * @throws NotFound
 */
export async function refuseMissing(
  opened: Opened,
  missing: readonly Named[],
  account: string | undefined,
): Promise<void> {
  if (missing.length === 0) return;
  const doubts = (await Promise.all(missing.map((named) => doubtsNamed(opened, named, account)))).flat();
  const names = missing.map(shownName).join(', ');
  if (doubts.length === 0) {
    throw new NotFound(`no failed job ${names}, so nothing was done: "stockbridge jobs list" shows those there are`);
  }
  const choices = doubts.flatMap((doubt) => [
    `${doubt.kind} ${doubt.key} is ${stateText(doubt)}. What is it?`,
    ...choiceTexts(doubt).map((choice) => `  ${choice}`),
  ]);
  throw new NotFound([`no failed job ${names}, so nothing was done`, ...choices].join('\n'));
}

/** As it can be typed for `jobs resolve` and `jobs show`. */
export function typedName(intent: Doubt['intent']): string {
  const { flow, key } = targetOf(intent);
  return `${flow}/${key}`;
}
