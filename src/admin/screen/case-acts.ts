import type { ShownCause } from '../../domain/causes/cause.ts';
import type { WorkKey } from '../../store/work.ts';
import { accountsFor } from '../../use/accounts.ts';
import type { ArchivedChoice } from '../../use/archived.ts';
import { type HoldingOrder, ordersHolding } from '../../use/orders-holding.ts';
import { address, type Content, type Html, html } from './html.ts';
import { moveAct } from './linking.ts';
import { action, type PageContext } from './page.ts';
import { cut, entityLink, sentTime, shortId } from './show.ts';

/* The acts that the next step of a single case names, where the case is shown. */

/** The most orders or acts that are shown with a case. */
const MOST = 5;

type Entity = Pick<WorkKey, 'flow' | 'key'>;

type Case = Pick<ShownCause, 'code'> & { readonly params: unknown };

/**
 * null: the case has no such act, or this person may not act.
 * @param of the entity of the case; null: several have it
 */
export function caseActs(context: PageContext, { code, params }: Case, of: Entity | null): Content {
  if (context.form === null || context.caller.role !== 'operator') return null;
  if (code === 'listed-beside' && of !== null) {
    const { others, sold } = params as { readonly others: readonly number[]; readonly sold: boolean };
    if (!sold) return null;
    return others
      .slice(0, MOST)
      .map((one) =>
        moveAct(
          context,
          { marketplaceId: String(one), erpId: of.key },
          html`<button class="second">Move the link to listing ${one}…</button>`,
        ),
      );
  }
  if (code !== 'archived-by-hand') return null;
  const { listing } = params as { readonly listing: number };
  const say = (said: ArchivedChoice, button: Content) =>
    action(context, 'archived', { account: context.account, listing: String(listing), said }, button);
  return html`${say('asked-back', html`<button>Bring it back…</button>`)}${say('left', html`<button class="second">Leave it archived</button>`)}`;
}

/** The open orders between which somebody has to choose, each with its customer; null: the case is about something else. */
export async function caseOrders(context: PageContext, { code, params }: Case, of: Entity | null): Promise<Content> {
  const { opened, account, nowMs } = context;
  const [config] = accountsFor(opened.config, account);
  if (code !== 'oversold' || of === null || config === undefined) return null;
  const { sku } = params as { readonly sku: string };
  const orders = await ordersHolding({ account, config, store: opened.store, now: () => nowMs }, of.key);
  if (orders.length === 0) return html`<p class="soft">No open order is known that has it.</p>`;
  const rest = orders.length - MOST;
  const more = html`<li><a href="${address('orders', { account, search: sku })}">and ${rest} more</a></li>`;
  return html`<ul class="plain holding" aria-label="Open orders with ${sku}">${orders.slice(0, MOST).map((order) => holding(account, order))}${rest > 0 ? more : null}</ul>`;
}

/** The ERP's number comes first: people know an order by it. */
function holding(account: string, { number, erpId, customer, status, units, since }: HoldingOrder): Html {
  const facts = [status, since === null ? null : html`since ${sentTime(since)}`].filter((one) => one !== null);
  return html`<li>${entityLink({ account, flow: 'order-in', key: number }, shortId(erpId ?? number))} <span>${cut(customer)}</span> <b>${units}</b> <small>${facts.map((fact, at) => html`${at === 0 ? null : ', '}${fact}`)}</small></li>`;
}

/** The acts and the orders of a case, as a part of a page; null: there are none. */
export async function casePart(context: PageContext, of: Case, entity: Entity): Promise<Content> {
  const acts = caseActs(context, of, entity);
  const orders = await caseOrders(context, of, entity);
  return acts === null && orders === null
    ? null
    : html`${acts === null ? null : html`<div class="actions">${acts}</div>`}${orders}`;
}
