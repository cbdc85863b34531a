import { z } from 'zod';
import { byCause, causeKey, sharedOf, shownCause } from '../../domain/causes/cause.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { entityLabel } from '../../use/entity-label.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { sentenceFor } from '../../use/harms.ts';
import { PLAN_CODES } from '../../use/held-groups.ts';
import { STATES } from '../../use/jobs/cases.ts';
import { type JobList, listJobs } from '../../use/jobs/list.ts';
import type { Job } from '../../use/jobs/select.ts';
import { caseActs, caseOrders } from './case-acts.ts';
import { doubtCard } from './doubt-card.ts';
import { archivedChoice, unlinkedRows } from './each-case.ts';
import { entityNamed } from './entity-names.ts';
import { address, type Content, type Html, html } from './html.ts';
import { type LinkSearch, linkSearchFields } from './linking.ts';
import { action, type PageContext, page } from './page.ts';
import { type Column, table } from './rows.ts';
import { ago, cut, guideLink, select, timed, turnBadge } from './show.ts';
import { lastTask } from './tasks.ts';
import { sideShown, tryAgain } from './tried.ts';

/** The most rows of each list where several lists are shown. */
const FIRST = 20;
/** The most rows where one list is shown. */
const SHOWN = 50;
const query = z.object({
  state: z.enum(['', ...STATES]).catch(''),
  error: z.string().max(300).default(''),
  from: z.coerce.number().int().min(0).max(1_000_000).catch(0),
  ...linkSearchFields,
});

/** Everything that does not go on by itself, case by case, chosen by state and by a part of its cause. */
export const NEEDS = page({
  path: '/needs',
  section: 'needs',
  query,
  async show(context, { state, error, from, ...sought }) {
    const selection = { account: context.account, error: error || undefined };
    const list = (of: typeof state) => {
      const part = of === '' ? { from: 0, count: FIRST } : { from, count: SHOWN };
      return listJobs(context.opened, selection, of === '' ? undefined : of, part);
    };
    const first = await list(state);
    // The page opens on the first list that is not empty.
    const meant =
      state !== '' || first.jobs.length + first.doubts.length > 0 ? state : first.held > 0 ? 'held' : 'alert';
    const found = meant === state ? first : await list(meant);
    const chosen = { state: meant, error, from: meant === '' ? 0 : from, sought };
    return { title: 'Needs', body: await needs(context, chosen, found) };
  },
});

interface Chosen {
  readonly state: string;
  readonly error: string;
  readonly from: number;
  /** The listing without a link whose product is searched for, and the search. */
  readonly sought: LinkSearch;
}

async function needs(
  context: PageContext,
  chosen: Chosen,
  { jobs, doubts, stopped, causes, counts, away }: JobList,
): Promise<Html> {
  const { account } = context;
  const unseen = away.get(account);
  const { state, error } = chosen;
  const states = [
    ['', 'failed or in doubt'],
    ['failed', 'failed'],
    ['in-doubt', 'in doubt'],
    ['held', 'held'],
    ['alert', 'under an alert'],
  ] as const;
  const pages = (of: string, shown: number, all: number) => pagesOf(context, chosen, of, shown, all);
  return html`<h1>Needs</h1>
<form class="filters" method="get" action="needs" data-finds="found"><input type="hidden" name="account" value="${account}">
${select('state', 'State', states, state)}
<label>Part of the cause <input type="search" name="error" value="${error}" maxlength="300"></label><button>Show</button></form>
<div id="found">${lastTask(context, ['replay'])}
${unseen === undefined ? null : html`<p class="notice">This is as it was found last, and cannot be looked at: ${sideShown(unseen)}.</p>`}
${jobs.length + doubts.length + stopped.length === 0 ? html`<p class="lede">Nothing matches.</p>` : null}
${jobs.length === 0 ? null : html`${await failedPart(context, error, jobs, counts.jobs)}${pages('failed', jobs.length, counts.jobs)}`}
${doubts.length === 0 ? null : html`<h2>${counts.doubts} in doubt</h2><ul class="cards">${await Promise.all(doubts.map((doubt) => doubtCard(context, doubt)))}</ul>${pages('in-doubt', doubts.length, counts.doubts)}`}
${stopped.length === 0 ? null : html`${await stoppedPart(context, chosen, stopped, causes)}${pages(state, stopped.length, counts.stopped)}`}</div>`;
}

/** The range of rows that is shown, with links to the others. */
function pagesOf(
  { account }: PageContext,
  { state, error, from }: Chosen,
  of: string,
  shown: number,
  all: number,
): Content {
  if (shown === all) return null;
  const to = (place: number) => address('needs', { account, state: of, error, from: place === 0 ? '' : String(place) });
  const link = (place: number, text: string) => html`<a class="button second" href="${to(place)}">${text}</a>`;
  return html`<p class="pages"><span>${from + 1} to ${from + shown} of ${all}</span>${
    state === ''
      ? link(0, `Show all ${all}`)
      : html`${from === 0 ? null : link(Math.max(0, from - SHOWN), 'Earlier')}${from + shown < all ? link(from + SHOWN, 'Next page') : null}`
  }</p>`;
}

async function failedPart(context: PageContext, error: string, jobs: JobList['jobs'], count: number): Promise<Html> {
  const names = await namesOf(context, jobs);
  const all = { account: context.account, error, count: String(count) };
  return html`<h2>${counted(count, 'failed job')}</h2>
<p>A replay looks at both sides afresh. Nothing is sent again as it was.</p>
<div class="actions">${action(context, 'replay', all, html`<button>Replay ${allOf(count)}…</button>`)}${action(context, 'discard', all, html`<button class="second">Discard ${allOf(count)}…</button>`)}</div>
${count === 1 ? failedTable(context, jobs, names) : choiceOfJobs(context, jobs, names)}`;
}

type Names = ReadonlyMap<number, Html>;

/** The number and the words by which a person knows the entities of jobs again. */
async function namesOf({ opened: { store } }: PageContext, jobs: JobList['jobs']): Promise<Names> {
  const named = jobs.map(async (job) => {
    const label = cut(await entityLabel(store, job));
    return [job.id, html`${await entityNamed(store, job)} ${label}`] as const;
  });
  return new Map(await Promise.all(named));
}

/** Failed jobs to tick, and what can be done to those that are ticked. A viewer only sees them. */
function choiceOfJobs(context: PageContext, jobs: JobList['jobs'], names: Names): Content {
  const choose: Column<Job> = {
    head: 'Choose',
    width: 'tick',
    line: 1,
    cell: ({ id, key }) => html`<input type="checkbox" name="job" value="${id}" aria-label="Choose ${key}">`,
  };
  const chosen = { account: context.account, chosen: 'yes' };
  const inside = html`${failedTable(context, jobs, names, [choose])}<div class="chosen"><button>Replay the chosen</button><button class="second" formaction="act/discard">Discard the chosen…</button></div>`;
  return action(context, 'replay', chosen, inside) ?? failedTable(context, jobs, names);
}

function failedTable(
  context: PageContext,
  jobs: JobList['jobs'],
  names: Names,
  more: readonly Column<Job>[] = [],
): Html {
  return table(
    'Failed jobs',
    [
      ...more,
      {
        head: 'Entity',
        isText: true,
        line: 1,
        cell: (job) => html`${names.get(job.id)} <small>${flowTitle(job.flow)}</small>`,
      },
      { head: 'Why', isText: true, line: 2, cell: ({ message }) => timed(cut(message)) },
      {
        head: 'Failed',
        width: 'short',
        line: 3,
        isNamed: true,
        cell: ({ failedAtMs }) => ago(failedAtMs, context.nowMs),
      },
      { head: 'Tries', isFigure: true, width: 'count', line: 3, isNamed: true, cell: ({ attempts }) => attempts },
    ],
    jobs,
  );
}

const allOf = (count: number) => (count === 1 ? 'it' : `all ${count}`);

/** Each cause once, with those of its cases that are on this page inside. */
async function stoppedPart(
  context: PageContext,
  chosen: Chosen,
  stopped: JobList['stopped'],
  all: JobList['causes'],
): Promise<Html> {
  const groups = byCause(stopped, ({ flow: about, cause }) => ({ about, cause }));
  const parts = groups.map((cases) => causePart(context, chosen, cases, countOf(cases, all)));
  return html`<ul class="cards">${await Promise.all(parts)}</ul>`;
}

/** The number of all entities of the cause, on every page. */
function countOf([first]: JobList['stopped'], all: JobList['causes']): number {
  const isSame = ([one]: JobList['stopped']) =>
    one !== undefined && first !== undefined && causeKey(one.flow, one.cause) === causeKey(first.flow, first.cause);
  return entitiesIn(all.find(isSame) ?? []).length;
}

/** The first case of each entity: an order may wait for the links of several listings. */
function entitiesIn(cases: JobList['stopped']): JobList['stopped'] {
  return [...new Map(cases.toReversed().map((one) => [`${one.flow} ${one.key}`, one])).values()].toReversed();
}

/** The plan of a brake that has all of these cases; null: they are in several plans, or do not name one. */
function planOf(cases: JobList['stopped']): string | null {
  const plans = new Set(cases.map(({ cause }) => (cause.code === 'brake-plan' ? cause.params.plan : null)));
  const [plan] = plans;
  return plan == null || plans.size > 1 ? null : String(plan);
}

/** A cause with its cases: whose turn it is, the sentence, the next step, and a link to each. */
async function causePart(
  context: PageContext,
  chosen: Chosen,
  cases: JobList['stopped'],
  count: number,
): Promise<Content> {
  const { account, opened } = context;
  const [first] = cases;
  if (first === undefined) return null;
  const why = shownCause(first.cause);
  const example = { key: first.key, ...why };
  const need = {
    kind: chosen.state === 'alert' ? 'alert' : 'held',
    about: first.flow,
    shared: sharedOf(why),
    count,
    example,
    first,
  } as const;
  const { sentence } = await sentenceFor(account, opened.store, need);
  const rows = entitiesIn(cases).map(async (one) => {
    const beside = await entityLabel(opened.store, one);
    const orders = await caseOrders(context, one.cause, one);
    return html`<li>${await entityNamed(opened.store, one)} ${beside === '' ? null : html`<span>${cut(beside)}</span> `}<small class="nowrap">${one.sinceMs === null ? null : ago(one.sinceMs, context.nowMs)}</small>${orders}</li>`;
  });
  const brakes =
    PLAN_CODES.some((code) => code === why.code) &&
    html`<p><a class="button" href="${address('brakes', { account, plan: planOf(cases) })}">Approve or drop…</a></p>`;
  const acts = tryAgain(context, need) ?? (count === 1 ? caseActs(context, why, first) : null);
  const choice = cases.length > 1 && why.code === 'archived-by-hand' ? await archivedChoice(context, cases) : null;
  const { state, error, from, sought } = chosen;
  const place = { path: 'needs', fields: { account, state, error, from: String(from) } };
  const linking = await unlinkedRows(context, cases, sought, place);
  return html`<li class="card cause"><h2 class="of-card">${timed(sentence)}</h2>
<p>${turnBadge(why.turn)} ${timed(stepOnScreen(why))} ${guideLink(why.page, 'Guide')}</p>${brakes}${acts && html`<div class="actions">${acts}</div>`}${linking && html`<div class="each">${linking}</div>`}${choice ?? html`<ul class="plain entities">${await Promise.all(rows)}</ul>`}</li>`;
}
