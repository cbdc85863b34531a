import { awayInShop } from '../../domain/causes/in-shop.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { kindNamed } from '../../use/entity.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import type { Harm } from '../../use/harms.ts';
import { caseActs, caseOrders } from './case-acts.ts';
import { doubtActs } from './doubt-card.ts';
import { eachCase } from './each-case.ts';
import { entityNamed } from './entity-names.ts';
import type { Stakes } from './gathered.ts';
import { address, type Content, type Html, html } from './html.ts';
import { type LinkSearch, linkingInPlace } from './linking.ts';
import { action, type PageContext } from './page.ts';
import { badge, lasting, money, timed, turnBadge } from './show.ts';
import { sideShown, tryAgain } from './tried.ts';

/** One need of the overview: its sentence, since when, and the act itself. */
export async function harmRow(context: PageContext, harm: Harm, stakes: Stakes, sought: LinkSearch): Promise<Html> {
  const { need, sentence, listing } = harm;
  const { about, example, firstMs, away } = need;
  const stake = about.split(', ').flatMap((flow) => [...(stakes.get(`${flow} ${example.code}`) ?? [])]);
  const shown = stake.filter(([, sum]) => !sum.isZero());
  const done = actsInPlace(context, harm);
  const linking =
    listing === null
      ? null
      : await linkingInPlace(context, listing, sought, { path: './', fields: { account: context.account } });
  const orders = need.count === 1 ? await caseOrders(context, example, need.first) : null;
  const each = await eachCase(context, harm, sought);
  const isAway = awayInShop(example.code) !== null && need.kind === 'alert';
  const isOnlyTold = done === null && linking === null && each === null;
  return html`<li class="card harm"><div class="told"><h2 class="of-card">${timed(sentence)}</h2>
<p class="facts"><span>${aboutText(about)}</span>${await doubtedLink(context, need)}${firstMs === null ? null : lasting(firstMs, context.nowMs)}${
    shown.length === 0
      ? null
      : html`<span>at stake ${shown.map(([currency, sum]) => html`${money(sum, currency)} `)}</span>`
  }${away === null ? null : badge('wait', html`cannot be looked at: ${sideShown(away)}`)}${example.turn === 'operator' ? null : turnBadge(example.turn)}${
    isOnlyTold || isAway ? html`<span class="next">${timed(stepOnScreen(example))}</span>` : null
  }</p></div>
<div class="do">${done}${linking?.search}${showLink(context, harm, isOnlyTold)}</div>${linking?.found}${each}${orders}</li>`;
}

/** The sentence of a doubt names what it may be, and not what it is about. */
async function doubtedLink({ account, opened }: PageContext, { kind, count, first }: Harm['need']): Promise<Content> {
  if (kind !== 'in doubt' || count !== 1 || first === null) return null;
  return html`<span>${await entityNamed(opened.store, { account, ...first })}</span>`;
}

/** The flows or the collection that a need is about. */
function aboutText(about: string): string {
  return about.split(', ').map(flowTitle).join(', ');
}

/** The acts that need no other page; null: there are none for this need, or for this person. */
function actsInPlace(context: PageContext, { need, plan, doubts }: Harm): Content {
  const { account, form, caller } = context;
  const { kind, count, example } = need;
  if (form === null || caller.role !== 'operator') return null;
  if (plan !== null) {
    const { hash } = plan;
    return html`${action(context, 'approve', { hash }, html`<button>Approve ${count === 1 ? 'it' : `all ${count}`}…</button>`)}${action(context, 'drop', { hash }, html`<button class="second">Drop ${count === 1 ? 'it' : 'them'}…</button>`)}`;
  }
  const [doubt, another] = doubts;
  if (doubt !== undefined) return another === undefined ? doubtActs(context, doubt) : null;
  if (kind !== 'failed')
    return tryAgain(context, need) ?? (count === 1 ? caseActs(context, example, need.first) : null);
  return action(
    context,
    'replay',
    { account, error: example.code, count: String(count) },
    html`<button>Try ${count === 1 ? 'it' : `all ${count}`} again</button>`,
  );
}

/** The page that shows the one case, or all of them. */
function showLink({ account }: PageContext, { need, plan }: Harm, isMain: boolean): Content {
  const { kind, about, count, example } = need;
  const { code, key } = example;
  const tone = isMain ? '' : ' second';
  const link = (path: string, query: Readonly<Record<string, string>>, text: string) =>
    html`<a class="button${tone}" href="${address(path, { account, ...query })}">${text}</a>`;
  if (plan !== null) return link('brakes', { plan: String(plan.plan.id) }, 'Look');
  if (code === 'paused') return link('./', { all: 'yes' }, 'Pauses');
  const state = { held: 'held', pending: 'held', failed: 'failed', alert: 'alert', 'in doubt': 'in-doubt' }[
    kind as string
  ];
  if (state === undefined) return null;
  const isEntity = count === 1 && kindNamed(about) !== undefined && kind !== 'in doubt';
  if (isEntity) return link('entity', { flow: about, key }, 'Look');
  return link('needs', { state, error: code }, count === 1 ? 'Look' : `Look at all ${count}`);
}
