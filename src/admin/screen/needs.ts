import { z } from 'zod';
import { shownCause } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { choicesOf, type Doubt, targetOf } from '../../use/jobs/doubts.ts';
import { type JobList, listJobs, STATES } from '../../use/jobs/list.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type Look, page } from './page.ts';
import { ago, entityLink, guideLink, select, table, turnBadge } from './show.ts';
import { lastTask } from './tasks.ts';

const SHOWN = 200;
const query = z.object({
  state: z.enum(['', ...STATES]).catch(''),
  error: z.string().max(300).default(''),
});

/** What does not go on by itself, case by case, chosen by state and by a part of its cause. */
export const NEEDS = page({
  path: '/needs',
  section: 'needs',
  query,
  async show(look, { state, error }) {
    const selection = { account: look.account, ...(error === '' ? {} : { error }) };
    const found = await listJobs(look.opened, selection, state === '' ? undefined : state);
    return { title: 'Needs', body: needs(look, state, error, found) };
  },
});

function needs(look: Look, state: string, error: string, { jobs, doubts, stopped, held }: JobList): Html {
  const { account } = look;
  const states = [
    ['', 'failed or in doubt'],
    ['failed', 'failed'],
    ['in-doubt', 'in doubt'],
    ['held', 'held'],
    ['alert', 'under an alert'],
  ] as const;
  return html`<h1>Needs</h1>
<form class="filters" method="get" action="needs"><input type="hidden" name="account" value="${account}">
${select('state', 'State', states, state)}
<label>Part of the cause <input type="search" name="error" value="${error}" maxlength="300"></label><button>Show</button></form>
${lastTask(look, ['replay'])}
${jobs.length + doubts.length + stopped.length === 0 ? html`<p class="lede">Nothing is like this.${held > 0 && state === '' ? html` <a href="${address('needs', { account, state: 'held' })}">${counted(held, 'entity is')} held.</a>` : null}</p>` : null}
${jobs.length === 0 ? null : failedPart(look, error, jobs)}
${doubts.length === 0 ? null : html`<h2>In doubt</h2><ul class="cards">${doubts.map((doubt) => doubtCard(look, doubt))}</ul>`}
${stopped.length === 0 ? null : stoppedPart(look, stopped)}`;
}

function failedPart(look: Look, error: string, jobs: JobList['jobs']): Html {
  const all = { account: look.account, error, count: String(jobs.length) };
  return html`<h2>${counted(jobs.length, 'failed job')}</h2>
<p>A replay looks at both sides afresh. Nothing is sent again as it was.</p>
<div class="actions">${action(look, 'replay', all, html`<button>Replay all ${jobs.length}</button>`)}${action(look, 'discard', all, html`<button class="second">Discard all ${jobs.length}</button>`)}</div>
${table(
  'Failed jobs',
  [
    { head: 'Entity', cell: (job) => html`${job.flow} ${entityLink(job)}` },
    { head: 'Why', cell: ({ message, cause }) => html`${message} <small>${cause}</small>` },
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
  jobs.slice(0, SHOWN),
)}${more(jobs.length)}`;
}

function stoppedPart(look: Look, stopped: JobList['stopped']): Html {
  return html`<h2>${counted(stopped.length, 'case')}</h2>${table(
    'Held, or under an alert',
    [
      { head: 'Entity', cell: (one) => html`${one.flow} ${entityLink(one)}` },
      { head: 'Why', cell: ({ cause }) => shownCause(cause).text },
      {
        head: 'Next step',
        cell: ({ cause }) => html`${shownCause(cause).next} ${guideLink(shownCause(cause).page, 'Guide')}`,
      },
      { head: 'Turn', cell: ({ cause }) => turnBadge(shownCause(cause).turn) },
      { head: 'Since', cell: ({ sinceMs }) => (sinceMs === null ? null : ago(sinceMs, look.nowMs)) },
    ],
    stopped.slice(0, SHOWN),
  )}${more(stopped.length)}`;
}

function more(count: number): Content {
  return count <= SHOWN
    ? null
    : html`<p class="pages">The first ${SHOWN} of ${count}: narrow it by a part of the cause.</p>`;
}

function doubtCard(look: Look, { intent, sent, found }: Doubt): Html {
  const { candidates, adopt, drop } = choicesOf(intent);
  const target = targetOf(intent);
  const id = { id: String(intent.id) };
  return html`<li class="card"><h3>${target.flow} ${entityLink(target)}</h3>
<p class="facts"><span>${intent.kind}</span><span>since ${ago(intent.sentAtMs, look.nowMs)}</span></p>
${found.map((cause) => html`<p>${shownCause(cause).text}. ${shownCause(cause).next}</p>`)}
${sent === null ? null : html`<p class="soft">${sent}</p>`}
<div class="actions">${
    adopt
      ? action(
          look,
          'resolve',
          { ...id, said: 'adopt' },
          html`<label>It made <input name="adopt" required maxlength="200" value="${candidates.length === 1 ? candidates[0] : ''}"></label><button>Adopt it</button>`,
        )
      : null
  }${action(look, 'resolve', { ...id, said: 'retry' }, html`<button class="second">Nothing was applied: try again</button>`)}${
    drop ? action(look, 'resolve', { ...id, said: 'drop' }, html`<button class="second">Give it up</button>`) : null
  }</div></li>`;
}
