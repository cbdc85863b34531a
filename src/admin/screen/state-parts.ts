import { ageText } from '../../domain/age.ts';
import { counted } from '../../domain/counted.ts';
import type { Sample } from '../../domain/day.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { PAUSABLE } from '../../use/pauses.ts';
import { type AccountStatus, secretText } from '../../use/status.ts';
import { freshness } from './freshness.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type PageContext, textField } from './page.ts';
import { table } from './rows.ts';
import { badge, bar, select } from './show.ts';

/* The state of an account part by part: its lists, its flows and the marketplace. */

/** Everything that is not the first thing to know. */
export function stateParts(context: PageContext, status: AccountStatus, day: readonly Sample[]): Html {
  return html`<h2>How fresh it is</h2>
${freshness(status.reads, day, context.nowMs)}
<h2>Under way</h2>
${flows(context, status)}
${pauseForm(context, status)}
<h2>The marketplace</h2>
<div class="grid">${quota(status)}${orders(context, status)}${webhooks(status)}${drift(context, status)}</div>
${secretsPart(status)}`;
}

/** The origins of the secrets in force. Their values are nowhere. */
function secretsPart({ secrets }: AccountStatus): Content {
  if (secrets.length === 0) return null;
  const rows = secrets.map((secret) => html`<li>${secretText(secret)}</li>`);
  return html`<details id="fold-secrets"><summary>Where the secrets come from</summary><ul class="plain">${rows}</ul></details>`;
}

function flows(context: PageContext, { flows: all, paused }: AccountStatus): Html {
  const { account } = context;
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

function pauseForm(context: PageContext, { account, paused }: AccountStatus): Content {
  const going = PAUSABLE.filter((flow) => !paused.some((pause) => pause.flow === flow));
  const names = going.toReversed().map((flow) => [flow, flowTitle(flow)] as const);
  return html`<div class="actions">${paused.map(({ flow }) =>
    action(context, 'resume', { account, flow }, html`<button>Go on with ${flowTitle(flow)}</button>`),
  )}${action(
    context,
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

function orders({ account }: PageContext, { orders: all }: AccountStatus): Html {
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

function drift({ account }: PageContext, { drift: all, unlinked, areLinksKnown }: AccountStatus): Html {
  const alone = areLinksKnown
    ? `${counted(unlinked.listings, 'listing')} linked to nothing`
    : 'Links are not known yet';
  return html`<section class="card"><h3>Listings</h3><ul class="plain"><li><a href="${address('mappings', { account })}">${alone}</a></li>${
    all.length === 0
      ? html`<li>No figure changed by others in a day</li>`
      : all.map(({ kind, count }) => html`<li>${count} with other figures than expected: ${kind}</li>`)
  }</ul></section>`;
}
