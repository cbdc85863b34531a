import { z } from 'zod';
import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { targetInShop } from '../../domain/target-text.ts';
import { actionTitle } from '../../use/action-titles.ts';
import { NotFound } from '../../use/faults.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import { csvOf, PLAN_COLUMNS, type PlanItem } from '../../use/plan-item.ts';
import { LEFT_REASONS } from '../../use/plan-pass.ts';
import { changesOf, changesPage } from '../../use/plans/shown.ts';
import type { StoredPlan } from '../../use/plans/stored.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type PageContext, page } from './page.ts';
import { changesTable, summaryPart } from './plan-parts.ts';
import { table } from './rows.ts';
import { ago, badge, entityLink, guideLink, select, selectFlow, valueText } from './show.ts';
import { lastTask } from './tasks.ts';

const SHOWN = 50;

/** The plans that are kept, and the making of another one. */
export const PLANS = page({
  path: '/plans',
  section: 'plans',
  query: z.object({}),
  async show(context) {
    const { account, opened } = context;
    const plans = opened.plans.list(account);
    const body = html`<h1>Plans</h1><p class="lede">A plan rehearses the next passes on a copy of what is known, and shows every write before it is made. ${guideLink('going-live')}</p>
<div class="actions">${action(context, 'plan', { account }, html`<label class="check"><input type="checkbox" name="lift" value="yes"> as if nothing were paused</label><button>Make a plan</button>`)}</div>
${lastTask(context, ['plan', 'apply'])}
<h2>Kept</h2>
${list(context, plans)}`;
    return { title: 'Plans', body };
  },
});

function list({ account, nowMs }: PageContext, plans: readonly StoredPlan[]): Html {
  return table(
    'Plans',
    [
      {
        head: 'Plan',
        line: 1,
        cell: ({ id }) => html`<a href="${address(`plans/${id}`, { account })}">Plan ${id}</a>`,
      },
      { head: 'Made', line: 2, cell: ({ made }) => html`${ago(made.atMs, nowMs)} <small>by ${made.by}</small>` },
      { head: 'Writes', isFigure: true, line: 3, isNamed: true, cell: ({ summary }) => summary.writes },
      { head: 'Stopped', isFigure: true, line: 3, isNamed: true, cell: ({ summary }) => summary.stopped },
      { head: 'Held', isFigure: true, line: 3, isNamed: true, cell: ({ summary }) => summary.held },
      { head: 'State', line: 3, cell: stateOf },
    ],
    plans,
    html`<p class="soft">No plan is kept. The last five are, for a week.</p>`,
  );
}

function stateOf({ approved, applied, summary: { writes, links } }: StoredPlan): Content {
  if (applied !== null) return badge(applied.left === 0 ? 'good' : 'wait', `applied: ${applied.written} made`);
  if (writes + links === 0) return badge('quiet', 'nothing to write');
  return approved === null ? badge('quiet', 'made') : badge('wait', 'approved');
}

const query = z.object({
  kind: z.string().max(60).default(''),
  flow: z.string().max(40).default(''),
  sku: z.string().trim().max(300).default(''),
  order: z.string().trim().max(300).default(''),
  after: z.coerce.number().int().min(0).max(1_000_000).default(0),
});
type Query = z.output<typeof query>;

function planNamed({ opened, account }: PageContext, topic: string): StoredPlan {
  if (!/^[1-9]\d{0,14}$/.test(topic)) throw new NotFound('a plan is named by its number');
  return opened.plans.get(account, Number(topic));
}

function asked({ kind, flow, sku, order }: Query) {
  return { kind: kind || undefined, flow: flow || undefined, sku: sku || undefined, order: order || undefined };
}

/** One plan: its summary, each change, and the next step with it. */
export const PLAN = page({
  path: '/plans/:topic',
  section: 'plans',
  query,
  async show(context, filter, topic) {
    const plan = planNamed(context, topic);
    const { store, plans } = context.opened;
    const changes = await changesPage(changesOf(plans, store, plan, asked(filter)), filter.after, SHOWN);
    return { title: `Plan ${plan.id}`, body: planPage(context, plan, filter, changes) };
  },
});

export const PLAN_CSV = page({
  path: '/plan.csv',
  section: 'plans',
  query: query.extend({ plan: z.string().max(20) }),
  async show(context, { plan, ...filter }) {
    const kept = planNamed(context, plan);
    const lines = csvLines(changesOf(context.opened.plans, context.opened.store, kept, asked(filter)));
    return { name: `plan-${kept.id}.csv`, type: 'text/csv; charset=utf-8', lines };
  },
});

async function* csvLines(items: AsyncIterable<PlanItem>): AsyncGenerator<string> {
  yield `${csvLine(PLAN_COLUMNS)}\n`;
  for await (const item of items)
    yield csvOf(item)
      .map((line) => `${line}\n`)
      .join('');
}

function planPage(
  context: PageContext,
  plan: StoredPlan,
  filter: Query,
  changes: Awaited<ReturnType<typeof changesPage>>,
): Html {
  const { id, account, made, liftsPauses, hash } = plan;
  const at = { account, ...asked(filter) };
  const { items, next } = changes;
  const more = next === null ? null : address(`plans/${id}`, { ...at, after: String(next) });
  return html`<p class="soft"><a href="${address('plans', { account })}">Plans</a></p>
<h1>Plan ${id}</h1>
<p class="facts"><span>${stateOf(plan)}</span><span>made ${ago(made.atMs, context.nowMs)} by ${made.by}</span>${liftsPauses ? html`<span>as if nothing were paused</span>` : null}<span class="mono">${hash}</span></p>
${lastTask(context, ['apply'])}
${summaryPart(plan, nextStep(context, plan))}
<h2 id="changes">Changes</h2>
${filters(plan, filter)}
${changesPart(context, plan, items)}
<p class="pages">${more && html`<a class="button second" rel="next" href="${more}#changes">Next page</a> `}<a href="${address('plan.csv', { ...at, plan: String(id) })}">As CSV</a></p>`;
}

function filters({ id, account, summary }: StoredPlan, { kind, flow, sku, order }: Query): Html {
  const kinds = Object.entries(summary.actions).map(
    ([name, count]) => [name, `${actionTitle(name)} (${count})`] as const,
  );
  const others = [
    ['stopped', `stopped (${summary.stopped})`],
    ['held', `held (${summary.held})`],
    ['alert', `alerts (${summary.alerts})`],
  ] as const;
  return html`<form class="filters" method="get" action="plans/${id}#changes"><input type="hidden" name="account" value="${account}">
${select('kind', 'Kind', [['', 'all'], ...kinds, ...others], kind)}
${selectFlow(flow)}
<label>SKU <input type="search" name="sku" value="${sku}" maxlength="300"></label>
<label>Order <input type="search" name="order" value="${order}" maxlength="300"></label><button>Show</button></form>`;
}

/** The changes, each with a box to leave its entity out as long as the plan is not approved. */
function changesPart(context: PageContext, plan: StoredPlan, items: readonly PlanItem[]): Content {
  const { approved, summary } = plan;
  const count = summary.writes + summary.links;
  const mayLeaveOut = approved === null && count > 1 && items.some(({ actions }) => actions.length > 0);
  const inside = html`${changesTable(items, true, [])}<button>Approve all ${count}, except those left out…</button>`;
  const form = mayLeaveOut ? action(context, 'plan-approve', fieldsOf(plan), inside) : null;
  return form ?? changesTable(items, false, approved?.except ?? []);
}

const fieldsOf = ({ id, account, hash }: StoredPlan) => ({ account, plan: String(id), hash });

/** The next step that a person can take with a plan. */
function nextStep(context: PageContext, plan: StoredPlan): Content {
  const { id, summary, approved, applied } = plan;
  if (applied !== null) return appliedPart(context, applied);
  const count = summary.writes + summary.links;
  if (count === 0) return null;
  const of = fieldsOf(plan);
  if (approved === null)
    return html`<div class="actions">${action(context, 'plan-approve', of, html`<button>Approve ${counted(count, 'change')}…</button>`)}</div>`;
  const left = approved.except?.length ?? 0;
  return html`<p>Approved by ${approved.by} ${ago(approved.atMs, context.nowMs)}, exactly as shown${left === 0 ? null : ` and without ${counted(left, 'item')}`}. Applying it writes what still holds, and nothing else.</p>
<div class="actions">${action(context, 'plan-apply', of, html`<button>Apply plan ${id}</button>`)}</div>`;
}

function appliedPart(
  context: PageContext,
  { by, atMs, written, left, firstLeft }: NonNullable<StoredPlan['applied']>,
): Html {
  return html`<p>Applied by ${by} ${ago(atMs, context.nowMs)}: ${counted(written, 'write')} made${left === 0 ? null : `, ${left} left`}.</p>
${table(
  'Left',
  [
    {
      head: 'Entity',
      cell: (one) => html`${entityLink(one)} <small>${flowTitle(one.flow)}</small>`,
    },
    { head: 'What', cell: (one) => html`${actionTitle(one.action)} <small>${targetInShop(one.target)}</small>` },
    { head: 'To', cell: ({ after }) => valueText(after) },
    { head: 'Why it was left', cell: leftBecause },
  ],
  firstLeft,
  html``,
)}`;
}

function leftBecause({ state, causes }: NonNullable<StoredPlan['applied']>['firstLeft'][number]): Content {
  return causes.length === 0
    ? LEFT_REASONS[state]
    : causes.map((cause) => html`<p>${sentenceInShop(cause, { product: null })}. ${stepOnScreen(cause)}</p>`);
}
