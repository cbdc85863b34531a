import { sentencesOf } from '../../domain/causes/cause.ts';
import { NotFound } from '../../use/faults.ts';
import { type Doubt, doubtsNamed, targetOf } from '../../use/jobs/doubts.ts';
import { type Named, shownName } from '../../use/jobs/select.ts';
import { choiceTexts } from '../../use/jobs/shown.ts';
import type { Opened } from '../../use/open.ts';
import { shownInstant } from '../table.ts';

const STATES = { 'in-doubt': 'in doubt', open: 'not settled', dropped: 'dropped' } as const;

export function stateText({ state }: Doubt['intent']): string {
  return Object.hasOwn(STATES, state) ? STATES[state as keyof typeof STATES] : state;
}

/** A doubt as paragraphs: its name, request and findings. */
export function doubtTexts({ intent, sent, found }: Doubt, several: boolean): string[] {
  const { id, account, kind, key, sentAtMs } = intent;
  const where = several ? ` of ${account}` : '';
  return [
    `${id}: ${kind} ${key}${where}, begun ${shownInstant(sentAtMs)}, ${stateText(intent)}`,
    ...(sent === null ? [] : [`  sent: ${sent}`]),
    `  found: ${found.length === 0 ? 'nothing' : sentencesOf(found)}`,
  ];
}

/**
 * Refuses named jobs that have not failed. For an entity in doubt, the message shows its choices.
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
    throw new NotFound(
      `there is no failed job ${names}. Nothing was done. List the failed jobs: stockbridge jobs list`,
    );
  }
  const choices = doubts.flatMap((doubt) => [
    `${doubt.kind} ${doubt.key} is ${stateText(doubt)}. What is it?`,
    ...choiceTexts(doubt).map((choice) => `  ${choice}`),
  ]);
  throw new NotFound([`there is no failed job ${names}. Nothing was done`, ...choices].join('\n'));
}

/** The name for `jobs resolve` and `jobs show`. */
export function typedName(intent: Doubt['intent']): string {
  const { flow, key } = targetOf(intent);
  return `${flow}/${key}`;
}
