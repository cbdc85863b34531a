import { z } from 'zod';
import { ageText } from '../../domain/age.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { listName } from '../../domain/lists.ts';
import { awayText } from '../../use/away.ts';
import type { DaemonStatus } from '../../use/daemon-status.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import type { Need } from '../../use/needs.ts';
import { PAUSABLE } from '../../use/pauses.ts';
import { type AccountStatus, secretText } from '../../use/status.ts';
import { type Verdict, verdictSentences } from '../../use/verdict.ts';
import { type Gathered, gather, type Stakes } from './gathered.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type Look, page, textField } from './page.ts';
import { plots } from './plots.ts';
import { ago, badge, bar, guideLink, lasting, money, select, table, time, turnBadge } from './show.ts';

export const OVERVIEW = page({
  path: '/',
  section: 'overview',
  query: z.object({}),
  async show(look) {
    const gathered = await look.overviews.get(look.account, () => gather(look.opened, look.account, look.nowMs));
    return { title: 'Overview', body: overview({ ...look, nowMs: gathered.nowMs }, gathered) };
  },
});

function overview(
  look: Look,
  { status: { accounts, daemon, mode, leftOut }, stakes, day }: Omit<Gathered, 'nowMs'>,
): Html {
  return html`<h1 class="hidden">Overview</h1><div id="live" data-live>
${mode === 'dry-run' ? html`<p class="notice">This is a dry run: nothing is written to either side.</p>` : null}
${leftOut.flatMap(({ account, needs }) => needs.filter(({ kind }) => kind === 'configuration').map(({ example }) => html`<p class="notice">${account === '' ? null : `${account}: `}${example.text}. ${stepOnScreen(example)}</p>`))}
${accounts.map((account) => accountOverview(look, account, daemon, stakes))}
<h2>The last day</h2>
${plots(day, look.nowMs)}
</div>`;
}

function accountOverview(look: Look, status: AccountStatus, daemon: DaemonStatus, stakes: Stakes): Html {
  const { needs, waits } = status;
  return html`${look.accounts.length < 2 ? null : html`<h2>${status.account}</h2>`}
<p class="verdict">${verdict(status.verdict)}</p>
${workedBy(status)}
${(daemon.notReady ?? []).map((reason) => html`<p class="notice">${reason}</p>`)}
${
  needs.length === 0
    ? null
    : html`<h2>Needs somebody</h2><ul class="cards">${needs.map((need) => needCard(look, need, stakes))}</ul>`
}
${
  waits.length === 0
    ? null
    : html`<details><summary>${counted(waits.length, 'thing')} ${waits.length === 1 ? 'waits' : 'wait'} and will go on without anybody</summary><ul class="cards">${waits.map((need) => needCard(look, need, stakes))}</ul></details>`
}
<h2>How fresh it is</h2>
${freshness(look, status)}
<h2>Under way</h2>
${flows(look, status)}
${pauseForm(look, status)}
<h2>The marketplace</h2>
<div class="grid">${quota(status)}${orders(look, status)}${webhooks(status)}${drift(look, status)}</div>
${secretsPart(status)}`;
}

/** The origins of the secrets in force. Their values are nowhere. */
function secretsPart({ secrets }: AccountStatus): Content {
  if (secrets.length === 0) return null;
  const rows = secrets.map((secret) => html`<li>${secretText(secret)}</li>`);
  return html`<details><summary>Where the secrets come from</summary><ul class="plain">${rows}</ul></details>`;
}

/** The daemon that works the account, where daemons share the accounts. */
function workedBy({ worker }: AccountStatus): Content {
  if (worker === null) return null;
  if (worker === 'nobody')
    return html`<p class="notice">No daemon works this account. Is one started, and is it named in daemons?</p>`;
  return html`<p class="soft">Worked by ${worker.name}, for ${ageText(worker.forMs)}.</p>`;
}

/** The sentences of the verdict, with the time put in: first whether the account is in step, then the others. */
function verdict(of: Verdict): Content {
  const [first, ...others] = verdictSentences(of).map((sentence) => {
    const [before = '', after] = sentence.split('{time}');
    return html`${before}${after === undefined || of.oldest === null ? null : html`${time(of.oldest.readAtMs)}${after}`} `;
  });
  return html`${first}${others.length === 0 ? null : html`<span class="then">${others}</span>`}`;
}

function needCard(look: Look, need: Need, stakes: Stakes): Html {
  const { kind, about, count, example, firstMs, lastMs, away } = need;
  const stake = about.split(', ').flatMap((flow) => [...(stakes.get(`${flow} ${example.code}`) ?? [])]);
  return html`<li class="card need"><div>
<h3>${example.text}</h3>
<p class="facts"><span>${aboutText(about)}</span>${firstMs === null ? null : html`<span>${lasting(firstMs, look.nowMs)}</span>`}${
    lastMs === null || lastMs === firstMs ? null : html`<span>last ${ago(lastMs, look.nowMs)}</span>`
  }${stake.length === 0 ? null : html`<span>at stake ${stake.map(([currency, sum]) => html`${money(sum, currency)} `)}</span>`}</p>
${away === null ? null : html`<p>${badge('wait', awayText(away))}</p>`}<p>${stepOnScreen(example)}</p></div>
<div class="count" aria-label="${count} of them">${count}</div>
<div class="do">${turnBadge(example.turn)} ${step(look, need, kind)} ${guideLink(example.page)}</div></li>`;
}

/** The flows or the collection that a need is about. */
function aboutText(about: string): string {
  return about.split(', ').map(flowTitle).join(', ');
}

/** A button for the next step where the screen can take it, else the name of the flow or the collection. */
function step(look: Look, { about, example, count }: Need, kind: Need['kind']): Content {
  const { account } = look;
  const link = (path: string, query: Readonly<Record<string, string>>, text: string) =>
    html`<a class="button" href="${address(path, { account, ...query })}">${text}</a>`;
  const { code } = example;
  if (kind === 'brake') return link('brakes', {}, 'Look at the plan');
  if (kind === 'failed') {
    const replay = html`<button>Replay ${count === 1 ? 'it' : 'them'}</button>`;
    return html`${action(look, 'replay', { account, error: code, count: String(count) }, replay)} ${link('needs', { state: 'failed', error: code }, 'Show')}`;
  }
  if (kind === 'in doubt') return link('needs', { state: 'in-doubt' }, 'Resolve');
  if (kind === 'alert') return link('needs', { state: 'alert', error: code }, 'Show');
  if (code === 'paused') return link('', {}, 'Pauses');
  if (kind === 'held')
    return link('needs', { state: 'held', error: code }, count === 1 ? 'Show it' : `Show all ${count}`);
  return html`<span class="soft">${aboutText(about)}</span>`;
}

function freshness({ nowMs }: Look, { reads }: AccountStatus): Html {
  return table(
    'How fresh each list is',
    [
      { head: 'List', cell: ({ collection }) => listName(collection) },
      {
        head: 'Read',
        cell: ({ ageMs }) =>
          ageMs === null ? 'never' : html`${ago(nowMs - ageMs, nowMs)} <small>at ${time(nowMs - ageMs)}</small>`,
      },
      { head: 'Expected', cell: ({ everyMs }) => `every ${ageText(everyMs)}` },
      {
        head: 'State',
        cell: ({ late, holes }) =>
          html`${late ? badge('wait', 'late') : badge('good', 'in time')}${holes === 0 ? null : html` ${badge('wait', counted(holes, 'hole'))}`}`,
      },
    ],
    reads,
  );
}

function flows(look: Look, { flows: all, paused }: AccountStatus): Html {
  const { account } = look;
  const linked = (state: string, count: number) =>
    count === 0
      ? html`<span class="none">0</span>`
      : html`<a href="${address('needs', { account, state })}">${count}</a>`;
  const pauseOf = (flow: string) => paused.find((one) => one.flow === flow || one.flow === 'all');
  return table(
    'Work under way, by flow',
    [
      { head: 'Flow', cell: ({ flow }) => flowTitle(flow) },
      {
        head: 'Waiting',
        isFigure: true,
        cell: ({ pending, oldestPendingMs }) =>
          html`${pending}${oldestPendingMs === null ? null : html` <small>for ${ageText(oldestPendingMs)}</small>`}`,
      },
      { head: 'Held', isFigure: true, cell: ({ held }) => linked('held', held) },
      { head: 'Failed', isFigure: true, cell: ({ failed }) => linked('failed', failed) },
      {
        head: 'State',
        cell: ({ flow, pending, held, failed }) => {
          const pause = pauseOf(flow);
          if (pause !== undefined) return badge('wait', `paused: ${pause.reason}`);
          if (pending > 0) return badge('quiet', 'working');
          if (failed > 0) return badge('bad', 'stopped');
          return held > 0 ? badge('wait', 'waits') : badge('good', 'done');
        },
      },
    ],
    all,
  );
}

function pauseForm(look: Look, { account, paused }: AccountStatus): Content {
  const going = PAUSABLE.filter((flow) => !paused.some((pause) => pause.flow === flow));
  const names = going.toReversed().map((flow) => [flow, flowTitle(flow)] as const);
  return html`<div class="actions">${paused.map(({ flow }) =>
    action(look, 'resume', { account, flow }, html`<button>Go on with ${flowTitle(flow)}</button>`),
  )}${action(
    look,
    'pause',
    { account },
    (refused) =>
      html`${select('flow', 'Stop writing', names, refused?.fields['flow'] ?? 'all')}${textField(refused, 'reason', 'because')}<button class="second">Pause</button>`,
  )}</div>`;
}

function quota({ quota: of }: AccountStatus): Html {
  if (of === null)
    return html`<section class="card"><h3>Calls</h3><p class="soft">Not known: nothing runs.</p></section>`;
  const { perMinute, closedForMs } = of;
  const all = perMinute.used + perMinute.others;
  return html`<section class="card"><h3>Calls in this minute</h3><p>${all} of ${perMinute.limit}${
    perMinute.others > 0 ? html` <small>${perMinute.others} of them by others</small>` : null
  }</p>${bar(all, perMinute.limit)}${
    closedForMs > 0
      ? html`<p>${badge('wait', `closed by the marketplace for ${Math.ceil(closedForMs / 1000)} s`)}</p>`
      : null
  }</section>`;
}

function orders({ account }: Look, { orders: all }: AccountStatus): Html {
  const rows = all.map(
    ({ status, count, known }) =>
      html`<li><span><a href="${address('orders', { account, status })}">${status}</a>${known ? null : html` ${badge('bad', 'unknown status')}`}</span> <b>${count}</b></li>`,
  );
  return html`<section class="card"><h3>Orders by status</h3>${rows.length === 0 ? html`<p class="soft">None yet.</p>` : html`<ul class="plain counts">${rows}</ul>`}</section>`;
}

function webhooks({ webhooks: all }: AccountStatus): Content {
  const rows = all.map(({ kind, changes, lost, silentForMs }) =>
    silentForMs === null
      ? html`<li>${kind}: ${lost} of ${changes} lost in a day</li>`
      : html`<li>${kind}: ${badge('wait', `silent for ${ageText(silentForMs)}`)}</li>`,
  );
  return rows.length === 0
    ? null
    : html`<section class="card"><h3>Webhooks</h3><ul class="plain">${rows}</ul></section>`;
}

function drift({ account }: Look, { drift: all, unlinked }: AccountStatus): Html {
  return html`<section class="card"><h3>Listings</h3><ul class="plain"><li><a href="${address('mappings', { account })}">${counted(unlinked.listings, 'listing')} linked to nothing</a></li>${
    all.length === 0
      ? html`<li>No figure changed by others in a day</li>`
      : all.map(({ kind, count }) => html`<li>${count} with other figures than expected: ${kind}</li>`)
  }</ul></section>`;
}
