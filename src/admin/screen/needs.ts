import { z } from 'zod';
import { shownCause } from '../../domain/causes/cause.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { awayText } from '../../use/away.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { STATES } from '../../use/jobs/cases.ts';
import { choicesOf, type Doubt, targetOf } from '../../use/jobs/doubts.ts';
import { type JobList, listJobs } from '../../use/jobs/list.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type Look, page, textField } from './page.ts';
import { ago, cut, entityLink, guideLink, lasting, select, table, timed, turnBadge } from './show.ts';
import { lastTask } from './tasks.ts';

/** The most rows of each list where several lists are shown. */
const FIRST = 20;
/** The most rows where one list is shown. */
const SHOWN = 50;
const query = z.object({
  state: z.enum(['', ...STATES]).catch(''),
  error: z.string().max(300).default(''),
  from: z.coerce.number().int().min(0).max(1_000_000).catch(0),
});

/** Everything that does not go on by itself, case by case, chosen by state and by a part of its cause. */
export const NEEDS = page({
  path: '/needs',
  section: 'needs',
  query,
  async show(look, { state, error, from }) {
    const selection = { account: look.account, error: error || undefined };
    const list = (of: typeof state) => {
      const part = of === '' ? { from: 0, count: FIRST } : { from, count: SHOWN };
      return listJobs(look.opened, selection, of === '' ? undefined : of, part);
    };
    const first = await list(state);
    // The page opens on the first list that is not empty.
    const meant =
      state !== '' || first.jobs.length + first.doubts.length > 0 ? state : first.held > 0 ? 'held' : 'alert';
    const found = meant === state ? first : await list(meant);
    return { title: 'Needs', body: needs(look, { state: meant, error, from: meant === '' ? 0 : from }, found) };
  },
});

interface Chosen {
  readonly state: string;
  readonly error: string;
  readonly from: number;
}

function needs(look: Look, chosen: Chosen, { jobs, doubts, stopped, causes, counts, away }: JobList): Html {
  const { account } = look;
  const unseen = away.get(account);
  const { state, error } = chosen;
  const states = [
    ['', 'failed or in doubt'],
    ['failed', 'failed'],
    ['in-doubt', 'in doubt'],
    ['held', 'held'],
    ['alert', 'under an alert'],
  ] as const;
  const pages = (of: string, shown: number, all: number) => pagesOf(look, chosen, of, shown, all);
  return html`<h1>Needs</h1>
<form class="filters" method="get" action="needs"><input type="hidden" name="account" value="${account}">
${select('state', 'State', states, state)}
<label>Part of the cause <input type="search" name="error" value="${error}" maxlength="300"></label><button>Show</button></form>
${lastTask(look, ['replay'])}
${unseen === undefined ? null : html`<p class="notice">This is as it was found last, and ${awayText(unseen)}.</p>`}
${jobs.length + doubts.length + stopped.length === 0 ? html`<p class="lede">Nothing matches.</p>` : null}
${jobs.length === 0 ? null : html`${failedPart(look, error, jobs, counts.jobs)}${pages('failed', jobs.length, counts.jobs)}`}
${doubts.length === 0 ? null : html`<h2>${counts.doubts} in doubt</h2><ul class="cards">${doubts.map((doubt) => doubtCard(look, doubt))}</ul>${pages('in-doubt', doubts.length, counts.doubts)}`}
${causes.length === 0 || error !== '' || chosen.from > 0 ? null : causesPart(look, state, causes)}
${stopped.length === 0 ? null : html`${stoppedPart(look, stopped, counts.stopped)}${pages(state, stopped.length, counts.stopped)}`}`;
}

/** The range of rows that is shown, with links to the others. */
function pagesOf({ account }: Look, { state, error, from }: Chosen, of: string, shown: number, all: number): Content {
  if (shown === all) return null;
  const to = (place: number) => address('needs', { account, state: of, error, from: place === 0 ? '' : String(place) });
  const link = (place: number, text: string) => html`<a class="button second" href="${to(place)}">${text}</a>`;
  return html`<p class="pages"><span>${from + 1} to ${from + shown} of ${all}</span>${
    state === ''
      ? link(0, `Show all ${all}`)
      : html`${from === 0 ? null : link(Math.max(0, from - SHOWN), 'Earlier')}${from + shown < all ? link(from + SHOWN, 'Next page') : null}`
  }</p>`;
}

function failedPart(look: Look, error: string, jobs: JobList['jobs'], count: number): Html {
  const all = { account: look.account, error, count: String(count) };
  return html`<h2>${counted(count, 'failed job')}</h2>
<p>A replay looks at both sides afresh. Nothing is sent again as it was.</p>
<div class="actions">${action(look, 'replay', all, html`<button>Replay all ${count}</button>`)}${action(look, 'discard', all, html`<button class="second">Discard all ${count}</button>`)}</div>
${table(
  'Failed jobs',
  [
    { head: 'Entity', cell: (job) => html`${entityLink(job)} <small>${flowTitle(job.flow)}</small>` },
    { head: 'Why', cell: ({ message, cause }) => html`${timed(cut(message))} <small>${cause}</small>` },
    { head: 'Failed', cell: ({ failedAtMs }) => ago(failedAtMs, look.nowMs) },
    { head: 'Tries', isFigure: true, cell: ({ attempts }) => attempts },
    {
      head: 'Do',
      cell: (job) =>
        action(
          look,
          'replay',
          { account: job.account, job: String(job.id) },
          html`<button class="second">Replay</button>`,
        ),
    },
  ],
  jobs,
)}`;
}

/** Each cause once, however many entities it holds. */
function causesPart({ account }: Look, state: string, causes: JobList['causes']): Html {
  const rows = causes.flatMap((of) => of.slice(0, 1).map((first) => ({ of, first, why: shownCause(first.cause) })));
  return html`<h2>${counted(rows.length, 'cause')}</h2>${table(
    'Causes',
    [
      {
        head: 'Why',
        cell: ({ of, why }) =>
          html`${timed(cut(why.text))} ${of.length === 1 ? null : html`<a href="${address('needs', { account, state, error: why.code })}">All ${of.length}</a>`}`,
      },
      { head: 'Entities', isFigure: true, cell: ({ of }) => of.length },
      { head: 'Next step', cell: ({ why }) => html`${stepOnScreen(why)} ${guideLink(why.page, 'Guide')}` },
      { head: 'Turn', cell: ({ why }) => turnBadge(why.turn) },
    ],
    rows.slice(0, SHOWN),
  )}`;
}

function stoppedPart(look: Look, stopped: JobList['stopped'], count: number): Html {
  return html`<h2>${counted(count, 'case')}</h2>${table(
    'Held, or under an alert',
    [
      { head: 'Entity', cell: (one) => html`${entityLink(one)} <small>${flowTitle(one.flow)}</small>` },
      { head: 'Why', cell: ({ cause }) => timed(cut(shownCause(cause).text)) },
      {
        head: 'Next step',
        cell: ({ cause }) => html`${stepOnScreen(shownCause(cause))} ${guideLink(shownCause(cause).page, 'Guide')}`,
      },
      { head: 'Turn', cell: ({ cause }) => turnBadge(shownCause(cause).turn) },
      { head: 'Since', cell: ({ sinceMs }) => (sinceMs === null ? null : ago(sinceMs, look.nowMs)) },
    ],
    stopped,
  )}`;
}

function doubtCard(look: Look, { intent, sent, found }: Doubt): Html {
  const { candidates, adopt, makes, drop } = choicesOf(intent);
  const target = targetOf(intent);
  const id = { id: String(intent.id) };
  const adopted = { ...id, said: 'adopt' };
  const another = candidates.length === 0 ? `It is the ${makes} with this id` : `Another ${makes}, by its id`;
  return html`<li class="card"><h3>${entityLink(target)} <small>${flowTitle(target.flow)}</small></h3>
<p class="facts">${intent.kind === target.flow ? null : html`<span>${flowTitle(intent.kind)}</span>`}<span>${lasting(intent.sentAtMs, look.nowMs)}</span></p>
${found.map((cause) => html`<p>${shownCause(cause).text}. ${stepOnScreen(shownCause(cause))}</p>`)}
${sent === null ? null : html`<p class="soft">${sent}</p>`}
<div class="actions">${
    adopt
      ? html`${candidates.map((one) => action(look, 'resolve', { ...adopted, adopt: one }, html`<button>It is ${makes} ${one}</button>`))}${action(
          look,
          'resolve',
          adopted,
          (refused) => html`${textField(refused, 'adopt', another, true)}<button class="second">Adopt it</button>`,
        )}`
      : null
  }${action(look, 'resolve', { ...id, said: 'retry' }, html`<button class="second">Nothing was applied: try again</button>`)}${
    drop ? action(look, 'resolve', { ...id, said: 'drop' }, html`<button class="second">Give it up</button>`) : null
  }</div></li>`;
}
