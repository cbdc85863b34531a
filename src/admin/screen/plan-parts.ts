import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { targetInShop } from '../../domain/target-text.ts';
import { actionTitle } from '../../use/action-titles.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { itemName, type PlanItem } from '../../use/plan-item.ts';
import type { PlanSummary } from '../../use/plan-summary.ts';
import type { StoredPlan } from '../../use/plans/stored.ts';
import { address, type Content, type Html, html } from './html.ts';
import { type Column, table } from './rows.ts';
import { badge, cut, entityLink, guideLink, heldText, timed, valueText } from './show.ts';

/**
 * The summary of a plan: the writes by kind, the figures that move furthest, and why something is held.
 * @param next what a person can do with it now
 */
export function summaryPart({ id, account, summary }: StoredPlan, next: Content): Html {
  const { writes, links, stopped, held, alerts } = summary;
  const sentence = [
    writes === 0 ? 'Nothing would be written.' : `${counted(writes, 'write')} would be made.`,
    links === 0 ? '' : `${links === 1 ? '1 entity' : `${links} entities`} would be linked.`,
    stopped === 0 ? '' : `${stopped} of them ${stopped === 1 ? 'is' : 'are'} stopped by a pause, a brake or a hold.`,
    held === 0 ? '' : heldText(held),
    alerts === 0 ? '' : `${counted(alerts, 'alert')}.`,
  ];
  return html`<p class="verdict">${sentence.filter((one) => one !== '').join(' ')}</p>
${next}
<div class="grid">${kinds(id, account, summary)}${moves(summary)}${texts(summary)}${alone(account, summary)}</div>
${summary.heldFor.length === 0 ? null : heldPart(account, summary)}`;
}

function kinds(id: number, account: string, { actions, zeroed }: PlanSummary): Content {
  const rows = Object.entries(actions).toSorted(([, a], [, b]) => b - a);
  if (rows.length === 0) return null;
  return html`<section class="card"><h2 class="of-card">By kind</h2><ul class="plain counts">${rows.map(
    ([kind, count]) =>
      html`<li><a href="${address(`plans/${id}`, { account, kind })}#changes">${actionTitle(kind)}</a> <b>${count}</b></li>`,
  )}${zeroed === 0 ? null : html`<li>stock figures that become zero <b>${zeroed}</b></li>`}</ul></section>`;
}

function moves({ priceMoves }: PlanSummary): Content {
  if (priceMoves.length === 0) return null;
  return html`<section class="card"><h2 class="of-card">Prices that move furthest</h2><ul class="plain counts">${priceMoves.map(
    ({ target, before, after, percent }) =>
      html`<li><span>${targetInShop(target)} <small>${valueText(before)} → ${valueText(after)}</small></span> <b>${percent} %</b></li>`,
  )}</ul></section>`;
}

function texts({ replaced }: PlanSummary): Content {
  const rows = Object.entries(replaced);
  if (rows.length === 0) return null;
  return html`<section class="card"><h2 class="of-card">Texts of a person that are replaced</h2><ul class="plain counts">${rows.map(
    ([field, count]) => html`<li>${field.replaceAll('_', ' ')} <b>${count}</b></li>`,
  )}</ul></section>`;
}

function alone(account: string, { unlinked, invalidRows }: PlanSummary): Content {
  const rows = [
    ...(unlinked === null || unlinked.listings === 0 ? [] : [html`<li>${counted(unlinked.listings, 'listing')}</li>`]),
    ...(unlinked === null || unlinked.products === 0
      ? []
      : [html`<li>${counted(unlinked.products, 'product')} of the ERP</li>`]),
  ];
  const unread = invalidRows.count === 0 ? null : html`<p>${counted(invalidRows.count, 'row')} cannot be read.</p>`;
  if (rows.length === 0 && unread === null) return null;
  return html`<section class="card"><h2 class="of-card">Linked to nothing, even after this plan</h2><ul class="plain">${rows}</ul>${unread}<p><a href="${address('mappings', { account })}">Links</a></p></section>`;
}

function heldPart(account: string, { heldFor }: PlanSummary): Html {
  return html`<h2>Held, by cause</h2>${table(
    'Held, by cause',
    [
      { head: 'Why', cell: (why) => sentenceInShop(why, { product: null }) },
      {
        head: 'Next step',
        cell: ({ code, params, next, page }) =>
          html`${stepOnScreen({ code, params, next })} ${guideLink(page, 'Guide')}`,
      },
      {
        head: 'Such as',
        cell: ({ flow, key }) => html`${entityLink({ account, flow, key })} <small>${flowTitle(flow)}</small>`,
      },
      { head: 'Count', isFigure: true, cell: ({ count }) => count },
    ],
    heldFor,
  )}`;
}

interface Row {
  readonly item: PlanItem;
  /** The first write of its entity. */
  readonly isFirst: boolean;
  readonly what: Content;
  readonly before: Content;
  readonly after: Content;
  readonly why: Content;
}

const LEAVE_OUT: Column<Row> = {
  head: 'Leave out',
  cell: ({ item, isFirst }) =>
    isFirst &&
    html`<input type="checkbox" name="except" value="${itemName(item)}" aria-label="Leave out ${item.key}, ${flowTitle(item.flow)}">`,
};

/**
 * Entity by entity, with before and after; the CSV has long texts whole.
 * @param mayLeaveOut each entity has a box by which an approval leaves it out
 * @param except the names of the items that an approval left out
 */
export function changesTable(items: readonly PlanItem[], mayLeaveOut: boolean, except: readonly string[]): Html {
  return table(
    'Changes',
    [
      {
        head: 'Entity',
        cell: ({ item }) =>
          html`${entityLink(item)} <small>${flowTitle(item.flow)}</small>${except.includes(itemName(item)) ? html` ${badge('quiet', 'left out')}` : null}`,
      },
      { head: 'What', cell: ({ what }) => what },
      { head: 'From', cell: ({ before }) => before },
      { head: 'To', cell: ({ after }) => after },
      { head: 'Why', cell: ({ why }) => why },
      ...(mayLeaveOut ? [LEAVE_OUT] : []),
    ],
    items.flatMap(rowsOf),
    html`<p class="lede">Nothing in this plan is like this.</p>`,
  );
}

function rowsOf(item: PlanItem): Row[] {
  const none = html`<span class="none">–</span>`;
  const rows = item.actions.map(({ action, target, before, after, why, stoppedBy }, at) => ({
    item,
    isFirst: at === 0,
    what: html`${actionTitle(action)} <small>${cut(targetInShop(target))}</small>`,
    before: before === null ? none : html`<del>${valueText(cut(before))}</del>`,
    after: after === null ? none : html`<ins>${valueText(cut(after))}</ins>`,
    why:
      stoppedBy === null
        ? timed(cut(why))
        : html`${badge('wait', 'stopped')} ${sentenceInShop(stoppedBy, { product: null })}. ${stepOnScreen(stoppedBy)} <small>${timed(cut(why))}</small>`,
  }));
  const told = (what: Content, cause: PlanItem['holds'][number]) => ({
    item,
    isFirst: false,
    what,
    before: none,
    after: none,
    why: html`${sentenceInShop(cause, { product: null })}. ${stepOnScreen(cause)} ${guideLink(cause.page, 'Guide')}`,
  });
  return [
    ...rows,
    ...item.holds.map((cause) => told(badge('wait', 'held'), cause)),
    ...item.alerts.map((cause) => told(badge('bad', 'alert'), cause)),
  ];
}
