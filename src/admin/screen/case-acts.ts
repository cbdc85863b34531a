import type { ShownCause } from '../../domain/causes/cause.ts';
import type { ArchivedSaid } from '../../use/archived.ts';
import { address, type Content, html } from './html.ts';
import { action, type Look } from './page.ts';

/* The acts that the next step of a single case names, where the case is shown. */

type Case = Pick<ShownCause, 'code'> & { readonly params: unknown };

/** null: the case has no such act, or this person may not act. */
export function caseActs(look: Look, { code, params }: Case): Content {
  if (code !== 'archived-by-hand' || look.form === null || look.caller.role !== 'operator') return null;
  const { listing } = params as { readonly listing: number };
  const say = (said: ArchivedSaid, button: Content) =>
    action(look, 'archived', { account: look.account, listing: String(listing), said }, button);
  return html`${say('asked-back', html`<button>Bring it back…</button>`)}${say('left', html`<button class="second">Leave it archived</button>`)}`;
}

/** The orders between which somebody has to choose; null: the case is about something else. */
export function caseOrders({ account }: Look, { code, params }: Case): Content {
  if (code !== 'oversold') return null;
  const { sku } = params as { readonly sku: string };
  return html`<a class="button second" href="${address('orders', { account, search: sku })}">Its orders</a>`;
}

/** The same, as a part of a page; null: there is none. */
export function casePart(look: Look, of: Case): Content {
  const [acts, orders] = [caseActs(look, of), caseOrders(look, of)];
  return acts === null && orders === null ? null : html`<div class="actions">${acts}${orders}</div>`;
}
