import { counted } from '../../domain/counted.ts';
import { estimateText } from '../../domain/estimate.ts';
import type { FirstStep } from '../../use/first-day.ts';
import { address, type Content, type Html, html } from './html.ts';
import type { PageContext } from './page.ts';
import { bar } from './show.ts';

interface Words {
  readonly title: string;
  /** The part of the step that is done, or is left. */
  readonly told: (step: FirstStep) => string;
  /** The page on which a person decides. */
  readonly page?: (step: FirstStep) => string;
}

const STEPS: Readonly<Record<FirstStep['name'], Words>> = {
  connect: { title: 'Both sides answer', told: ({ done, all }) => `${done} of ${all}` },
  read: {
    title: 'Catalogue read',
    told: ({ done, all }) => `${done} of ${counted(all ?? 0, 'list')}`,
  },
  link: {
    title: 'Links decided',
    told: ({ done, all }) => (all === 0 ? 'nothing to link' : `${done} of ${counted(all ?? 0, 'listing')}`),
    page: () => 'mappings',
  },
  approve: {
    title: 'Plan approved',
    told: ({ state, all }) =>
      state !== 'you' ? 'nothing waits' : all === 0 ? 'make a plan' : `${counted(all ?? 0, 'write')} to look at`,
    page: ({ all }) => (all === 0 ? 'plans' : 'brakes'),
  },
  live: {
    title: 'Live',
    told: ({ all }) => (all === null || all === 0 ? 'comes last' : `${counted(all, 'change')} left`),
  },
};

const SHAPES: Readonly<Record<FirstStep['state'], readonly [shape: string, told: string]>> = {
  done: ['●', 'done'],
  now: ['◐', 'under way'],
  you: ['▲', 'your turn'],
  later: ['○', 'later'],
};

/** The way of a new account to going live, step by step; nothing once it is live. */
export function firstDayPart({ account }: PageContext, steps: readonly FirstStep[] | null): Content {
  if (steps === null) return null;
  return html`<section class="card first-day" aria-label="The first day"><ol>${steps.map((step) => stepRow(account, step))}</ol></section>`;
}

function stepRow(account: string, step: FirstStep): Html {
  const { title, told, page } = STEPS[step.name];
  const { state, done, all, leastMs } = step;
  const [shape, word] = SHAPES[state];
  const left = leastMs === null ? null : `, ${estimateText({ ms: leastMs, isLeast: true })}`;
  const words = html`${told(step)}${left}`;
  const isLinked = state === 'you' && page !== undefined;
  return html`<li class="${state}"><h2 class="of-card"><span aria-hidden="true">${shape}</span> ${title} <span class="hidden">(${word})</span></h2>
<p class="soft">${isLinked ? html`<a href="${address(page(step), { account })}">${words}</a>` : words}</p>${state === 'now' && all !== null ? bar(done, all) : null}</li>`;
}
