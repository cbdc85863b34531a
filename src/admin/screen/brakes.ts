import { z } from 'zod';
import { sentenceOf } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { furthestFirst, type HeldPlan, listPlans } from '../../use/brakes.ts';
import { type Html, html } from './html.ts';
import { action, type Look, page } from './page.ts';
import { ago, badge, entityLink, guideLink, table, time } from './show.ts';

const SHOWN = 200;

/** The writes that a brake holds: approved or dropped as exactly what is shown. */
export const BRAKES = page({
  path: '/brakes',
  section: 'brakes',
  query: z.object({}),
  async show(look) {
    return { title: 'Brakes', body: brakes(look, await listPlans(look.opened, look.account, look.nowMs)) };
  },
});

function brakes(look: Look, plans: readonly HeldPlan[]): Html {
  return html`<h1>Brakes</h1><p class="lede">Writes beyond a limit wait here for an operator. ${guideLink('brakes')}</p>
${plans.length === 0 ? html`<p>No brake holds anything.</p>` : plans.map((plan) => planPart(look, plan))}`;
}

function planPart(look: Look, { plan, items, hash, expired }: HeldPlan): Html {
  const state = expired ? badge('quiet', 'expired') : badge(plan.state === 'open' ? 'bad' : 'good', plan.state);
  const isOpen = plan.state === 'open' && !expired;
  const shown = furthestFirst(items).slice(0, SHOWN);
  const keep = isOpen && look.form !== null && look.caller.role === 'operator';
  return html`<section class="card"><h2>${counted(items.length, 'write')} of ${plan.flow}: ${plan.kind}</h2>
<p class="facts"><span>${state}</span><span>made ${ago(plan.createdAtMs, look.nowMs)}</span><span>until ${time(plan.expiresAtMs)}</span><span class="mono">${hash}</span></p>
<p class="reason">${sentenceOf(plan.reason)}</p>
${table(
  `Writes of plan ${plan.id}`,
  [
    { head: 'Entity', cell: ({ account, flow, key }) => entityLink({ account, flow, key }) },
    { head: 'What', cell: ({ action: what, target }) => html`${what} ${target}` },
    { head: 'From', cell: ({ before }) => before },
    { head: 'To', cell: ({ after }) => after },
    { head: 'Why', cell: ({ why }) => why },
  ],
  shown,
)}
${items.length > SHOWN ? html`<p class="pages">The ${SHOWN} that move furthest, of ${items.length}.</p>` : null}
${
  keep
    ? html`<div class="actions">${action(look, 'approve', { hash }, html`<button>Approve these ${items.length}</button>`)}${action(look, 'drop', { hash }, html`<button class="second">Drop them</button>`)}</div>`
    : null
}</section>`;
}
