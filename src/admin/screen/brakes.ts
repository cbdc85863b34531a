import { z } from 'zod';
import { sentenceOf } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import { brakedText } from '../../domain/headline.ts';
import { moneyText } from '../../domain/money-text.ts';
import { targetInShop } from '../../domain/target-text.ts';
import type { AdminContext } from '../../use/admin-context.ts';
import {
  type BrakeItem,
  type HeldPlan,
  largestChangesFirst,
  listPlans,
  type Preview,
  waitingFirst,
} from '../../use/brakes.ts';
import { entityLabel } from '../../use/entity-label.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import type { Part } from '../../use/jobs/list.ts';
import { type OrderBehind, type OrdersBehind, ordersBehind } from '../../use/order-behind.ts';
import { entityNames } from './entity-names.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type PageContext, page, type Question } from './page.ts';
import { type Column, table } from './rows.ts';
import { ago, badge, cut, guideLink, time, timed, valueText } from './show.ts';

/** The most items of each plan where several plans are shown. */
const FIRST = 20;
/** The most items where one plan is shown. */
const SHOWN = 200;

/** The writes that a brake holds: approved or dropped as exactly what is shown. */
export const BRAKES = page({
  path: '/brakes',
  section: 'brakes',
  query: z.object({
    plan: z.coerce.number().int().min(1).optional().catch(undefined),
    from: z.coerce.number().int().min(0).max(1_000_000).catch(0),
  }),
  async show(context, { plan: only, from }) {
    const all = waitingFirst(await listPlans(context.opened, context.account, context.nowMs));
    const plans = all.filter(({ plan }) => only === undefined || plan.id === only);
    const part = plans.length === 1 ? { from, count: SHOWN } : { from: 0, count: FIRST };
    const shown = plans.flatMap(({ items }) => partOf(items, part));
    return { title: 'Brakes', body: brakes(context, plans, part, await behindOf(context.opened, shown)) };
  },
});

/** The facts by which a person knows the entities of writes again. */
interface Behind {
  readonly orders: OrdersBehind;
  /** The name of a product or a customer, by the item. */
  readonly names: ReadonlyMap<number, string>;
  readonly nameOf: (item: BrakeItem) => Content;
}

async function behindOf(opened: AdminContext, items: readonly BrakeItem[]): Promise<Behind> {
  const orders = await ordersBehind(opened, items);
  const others = items.filter(({ id }) => !orders.has(id));
  const names = others.map(async (item) => [item.id, await entityLabel(opened.store, item)] as const);
  return { orders, names: new Map(await Promise.all(names)), nameOf: await entityNames(opened.store, items) };
}

function brakes(context: PageContext, plans: readonly HeldPlan[], part: Part, behind: Behind): Html {
  return html`<h1>Brakes</h1><p class="lede">Writes beyond a limit wait here for an operator. ${guideLink('brakes')}</p>
${plans.length === 0 ? html`<p>No brake holds anything.</p>` : plans.map((plan) => planPart(context, plan, part, behind))}`;
}

function partOf(items: readonly BrakeItem[], { from, count }: Part): BrakeItem[] {
  return largestChangesFirst(items).slice(from, from + count);
}

function planPart(context: PageContext, { plan, items, hash, expired }: HeldPlan, part: Part, behind: Behind): Html {
  const state = expired
    ? badge('quiet', 'expired')
    : plan.state === 'open'
      ? badge('bad', 'waits for an approval')
      : badge('good', plan.state);
  const isOpen = plan.state === 'open' && !expired;
  const shown = partOf(items, part);
  const mayDecide = isOpen && context.form !== null && context.caller.role === 'operator';
  const writes = writesTable(
    `Writes of plan ${plan.id}`,
    shown,
    behind,
    mayDecide && items.length > 1 ? [LEAVE_OUT] : [],
  );
  return html`<section class="card plan"><h2>${brakedText(plan.flow, plan.kind, items.length)} <small>${flowTitle(plan.flow)}</small></h2>
<p class="facts"><span>${state}</span>${plan.decidedBy === null ? null : html`<span>by ${plan.decidedBy}</span>`}<span>made ${ago(plan.createdAtMs, context.nowMs)}</span><span>until ${time(plan.expiresAtMs)}</span><span class="mono">${hash}</span></p>
<p class="reason">${timed(sentenceOf(plan.reason))}</p>
${
  mayDecide
    ? html`<div class="decide">${action(context, 'approve', { hash }, html`${writes}<button>Approve ${items.length === 1 ? 'it' : `all ${items.length}, except those left out`}…</button>`)} ${action(context, 'drop', { hash }, html`<button class="second">Drop ${items.length === 1 ? 'it' : `all ${items.length}`}…</button>`)}</div>`
    : writes
}
${plan.state === 'dropped' && items.some(({ state: of }) => of === 'dropped') ? html`<div class="actions">${action(context, 'restore', { plan: String(plan.id) }, html`<button class="second">Take the drop back</button>`)}</div>` : null}
${shown.length === items.length ? null : pages(context, plan.id, { from: part.from, count: shown.length }, items.length)}</section>`;
}

const LEAVE_OUT: Column<BrakeItem> = {
  head: 'Leave out',
  width: 'short',
  cell: ({ id, key }) => html`<input type="checkbox" name="except" value="${id}" aria-label="Leave out ${key}">`,
};

/** Writes with their values before and after. */
function writesTable(
  caption: string,
  items: readonly BrakeItem[],
  { orders, names, nameOf }: Behind,
  more: readonly Column<BrakeItem>[] = [],
): Html {
  const isOfOrders = items.some(({ id }) => orders.has(id));
  const isOfFigures = items.every(({ before, after }) => isFigure(before) && isFigure(after));
  const side = isOfFigures ? { isFigure: true as const, width: 'figure' as const } : {};
  const columns: readonly (readonly [Line, Column<BrakeItem>])[] = [
    [
      1,
      {
        head: 'Entity',
        width: 'text',
        cell: (item) => html`${nameOf(item)} <small>${cut(names.get(item.id) ?? null)}</small>`,
      },
    ],
    ...(isOfOrders ? orderColumns(orders) : []).map((column) => [1, column] as const),
    [2, { head: 'What', cell: ({ target }) => timed(targetInShop(target)) }],
    [2, { head: 'From', isNamed: true, ...side, cell: ({ before }) => valueText(before) }],
    [2, { head: 'To', isNamed: true, ...side, cell: ({ after }) => valueText(after) }],
    ...more.map((column) => [3, { ...column, isNamed: true }] as const),
    [3, { head: 'Why', isText: true, cell: ({ why }) => timed(why) }],
  ];
  const isShort = items.every(({ before, after }) => `${before}${after}`.length <= SHORT);
  // Short values fit into their line. Long ones are shown whole before they are approved, also on a phone.
  const lined = columns.map(([line, column]) => (isShort ? { ...column, line } : column));
  return html`<div class="whole">${table(caption, lined, items)}</div>`;
}

/** The most characters of both values of a write that fit into one line of a phone. */
const SHORT = 24;

type Line = NonNullable<Column<BrakeItem>['line']>;

/** The question before the writes of a plan are approved. Of several, single ones can still be left out. */
export async function approvalQuestion(opened: AdminContext, { approved, left }: Preview): Promise<Question> {
  const behind = await behindOf(
    opened,
    [approved, left].flatMap((items) => items.slice(0, SHOWN)),
  );
  const part = (caption: string, items: readonly BrakeItem[], more: readonly Column<BrakeItem>[] = []) =>
    html`${writesTable(caption, items.slice(0, SHOWN), behind, more)}${items.length > SHOWN && html`<p class="pages">The ${SHOWN} that move furthest, of ${items.length}</p>`}`;
  return {
    question: `Approve ${counted(approved.length, 'write')}?`,
    told: html`<p class="lede">Each is written once, exactly as shown. What was written cannot be taken back here: only another write changes it.</p>`,
    asked: html`${part('Writes to approve', approved, approved.length > 1 ? [LEAVE_OUT] : [])}
${left.length === 0 ? null : html`<h2>${counted(left.length, 'write')} left out</h2><p>Held until another value is to be written.</p>${part('Writes left out', left)}`}`,
    yes: `Approve ${counted(approved.length, 'write')}${approved.length > 1 ? ', except those left out' : ''}`,
  };
}

/** The question before the writes of a plan are dropped. */
export async function dropQuestion(opened: AdminContext, { approved: items }: Preview): Promise<Question> {
  const shown = items.slice(0, SHOWN);
  return {
    question: `Drop ${counted(items.length, 'write')}?`,
    told: html`<p class="lede">${items.length === 1 ? 'It stays' : 'They stay'} held until another value is to be written. A drop can be undone.</p>
${writesTable('Writes to drop', shown, await behindOf(opened, shown))}`,
    yes: `Drop ${counted(items.length, 'write')}`,
  };
}

/** By these a person knows an order again. */
function orderColumns(orders: OrdersBehind): Column<BrakeItem>[] {
  const cell = (text: (order: OrderBehind) => Content) => (item: BrakeItem) => {
    const order = orders.get(item.id);
    return order === undefined ? null : text(order);
  };
  return [
    { head: 'Customer', cell: cell(({ customer }) => cut(customer)) },
    {
      head: 'Total',
      isFigure: true,
      cell: cell(({ total, currency }) => moneyText(`${total ?? ''} ${currency ?? ''}`.trim())),
    },
    { head: 'Last changed', cell: cell(({ modified }) => timed(modified)) },
  ];
}

const isFigure = (text: string | null) => text === null || /^-?\d+(\.\d+)?( [A-Z]{3})?$/.test(text);

/** The links to the other pages. The items that move their figure furthest come first. */
function pages({ account }: PageContext, id: number, { from, count }: Part, all: number): Html {
  const link = (place: number, text: string) =>
    html`<a class="button second" href="${address('brakes', { account, plan: String(id), from: place === 0 ? '' : String(place) })}">${text}</a>`;
  return html`<p class="pages"><span>${from + 1} to ${from + count} of ${all}, those that move furthest first</span>${
    count < SHOWN && from === 0 ? link(0, `Show all ${all}`) : null
  }${from === 0 ? null : link(Math.max(0, from - SHOWN), 'Before')}${count === SHOWN && from + count < all ? link(from + SHOWN, 'Next page') : null}</p>`;
}
