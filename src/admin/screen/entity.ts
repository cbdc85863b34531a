import { z } from 'zod';
import { stockFieldText } from '../../domain/target-text.ts';
import { kindNamed } from '../../use/entity.ts';
import { entityLabel } from '../../use/entity-label.ts';
import { productName } from '../../use/explain/answer.ts';
import { explainEntity } from '../../use/explain/explain.ts';
import {
  type Explanation,
  type FacilitySum,
  figureText,
  inUnits,
  type SideShown,
  type StockSum,
} from '../../use/explain/explanation.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { listsKnown } from '../../use/lists-known.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { coursePart } from './course.ts';
import { doubtsPart } from './doubt-card.ts';
import { writesPart } from './flow-cards.ts';
import { address, type Content, type Html, html } from './html.ts';
import { lifePart } from './life.ts';
import { counterpartPart, type LinkSearch, linkingParts, linkSearchFields } from './linking.ts';
import { type PageContext, page } from './page.ts';
import { table } from './rows.ts';
import { badge, sentTime, shortId, timed, valueText } from './show.ts';

const query = z.object({
  key: z.string().min(1).max(300),
  flow: z.string().max(40).optional(),
  kind: z.enum(KINDS).optional(),
  at: z.string().max(40).default(''),
  ...linkSearchFields,
});

/** Everything about one entity: both sides, what would be written and why not, and what happened. */
export const ENTITY = page({
  path: '/entity',
  section: null,
  query,
  async show(context, { key, flow, kind, at, half, search }) {
    const of = kind ?? kindNamed(flow ?? '');
    const atMs = at === '' ? Number.NaN : Date.parse(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(at) ? `${at}Z` : at);
    const asked = {
      name: key,
      account: context.account,
      words: 'screen' as const,
      ...(of === undefined ? {} : { kind: of }),
    };
    const told = await explainEntity(context.opened, Number.isNaN(atMs) ? asked : { ...asked, atMs });
    return { title: told.name, body: entity(context, key, told, await partsOf(context, told, { half, search })) };
  },
});

/** A search for anything by any of its names. */
export const FIND = page({
  path: '/find',
  section: null,
  query: z.object({ q: z.string().trim().max(200).default('') }),
  async show(context, { q }) {
    const { account } = context;
    if (q !== '') {
      const told = await explainEntity(context.opened, { name: q, account, words: 'screen' as const }).catch(
        () => null,
      );
      if (told !== null)
        return {
          title: told.name,
          body: entity(context, q, told, await partsOf(context, told, { half: '', search: '' })),
        };
    }
    const body = html`<h1>Nothing has exactly this name</h1><p class="lede">${q}</p><ul>
<li><a href="${address('orders', { account, search: q })}">Orders that begin like this</a></li>
<li><a href="${address('products', { account, search: q })}">Products that begin like this</a></li></ul>`;
    return { title: 'Find', body };
  },
});

/** The parts of the page that need further records. */
async function partsOf(context: PageContext, told: Explanation, sought: LinkSearch) {
  return {
    linking: await linkingParts(context, told, sought),
    course: await coursePart(context, told),
    life: await lifePart(context, told),
    beside: await besidePart(context, told),
    doubts: await doubtsPart(context, told),
    writes: await writesPart(context, told),
    known: await listsKnown({ account: context.account, store: context.opened.store }, told.kind),
  };
}

/** The customer of the order, with its total and the number of its lines. */
async function besidePart({ opened, account }: PageContext, { kind, marketplaceId }: Explanation): Promise<string> {
  if (kind !== 'order' || marketplaceId === null) return '';
  return entityLabel(opened.store, { account, flow: 'order-in', key: marketplaceId });
}

function entity(
  context: PageContext,
  key: string,
  told: Explanation,
  parts: Awaited<ReturnType<typeof partsOf>>,
): Html {
  const { kind, sides, link, stock, story, related, unknown } = told;
  const { differing } = sides;
  const isThen = told.isPast;
  return html`<p class="soft">${kind}</p><h1>${titleOf(told)}</h1>${parts.beside === '' ? null : html`<p class="facts"><span>${parts.beside}</span></p>`}
${answerPart(told)}
${plansPart(context, told)}
${parts.doubts}
${unknown.map((sentence) => html`<p class="notice">${sentence}</p>`)}
${parts.linking}
${parts.writes}
${stock === null ? null : stockPart(context, stock)}
${told.facilities.map(facilityPart)}
${parts.course}${parts.life}
<h2>Both sides</h2>
<div class="grid">${side('ERP', sides.erp, differing, { isKnown: isThen || parts.known.erp, ownPage: pageLink(told.pages.erp, 'Open it in the ERP') })}${sides.base === null ? null : side('When both last agreed', { fields: sides.base, readAt: null }, [])}${side('Marketplace', sides.marketplace, differing, { isKnown: isThen || parts.known.marketplace, ownPage: pageLink(told.pages.marketplace, 'Open it on the marketplace') })}</div>
<p class="facts">${link === null ? html`<span>${isThen || parts.known.links ? 'linked to nothing' : 'not compared yet'}</span>` : html`<span>${link.state === 'linked' ? 'linked' : 'being created'}, ${link.how}</span>`}${told.erpId === null ? null : html`<span>ERP id ${shortId(told.erpId)}</span>`}${told.marketplaceId === null ? null : html`<span>marketplace id ${shortId(told.marketplaceId)}</span>`}</p>
${counterpartPart(context, told)}
${related.length === 0 ? null : html`<h2>Belongs to it</h2><ul>${related.map((one) => html`<li><a href="${address('entity', { account: context.account, key: one.name, kind: one.kind })}">${timed(one.text)}</a></li>`)}</ul>`}
<h2>The story</h2>
${momentForm(context, key, told)}
${story.length === 0 ? html`<p>Nothing is on record.</p>` : html`<ol class="line">${story.map(happening)}</ol>`}
${told.hasMore ? html`<p class="pages"><a href="${address('activity', { account: context.account, key })}">Writes before</a></p>` : null}`;
}

/** The number of the ERP comes first: people know an order by it. A product has its name beside its SKU. */
function titleOf(told: Explanation): Content {
  const { kind, name, erpId } = told;
  const product = productName(told);
  if (product !== null && product !== name) return html`${shortId(name)} <small>${product}</small>`;
  if (kind !== 'order' || erpId === null || erpId === name) return shortId(name);
  return html`${shortId(erpId)} <small>${shortId(name)}</small>`;
}

/** The answer: what it is, why, and what next. */
function answerPart({ parts: { what, why, next } }: Explanation): Html {
  const rows = [
    ['What it is', what],
    ['Why', why],
    ['What next', next],
  ].filter(([, text]) => text !== '');
  return html`<dl class="answer">${rows.map(([head, text]) => html`<dt>${head}</dt><dd>${timed(text ?? '')}</dd>`)}</dl>`;
}

/** The plans of brakes that have a write of the entity. */
function plansPart({ account }: PageContext, { flows }: Explanation): Content {
  const plans = [...new Set(flows.flatMap(({ plan }) => plan ?? []))];
  if (plans.length === 0) return null;
  return html`<div class="actions">${plans.map((plan) => html`<a class="button" href="${address('brakes', { account, plan: String(plan) })}">Look at plan ${plan} of the brake…</a>`)}</div>`;
}

/** A choice of a moment of the past. The script of the page shows and takes it in the reader's zone. */
function momentForm(context: PageContext, key: string, { kind, isPast, at }: Explanation): Html {
  return html`<form class="filters" method="get" action="entity" data-moment><input type="hidden" name="account" value="${context.account}"><input type="hidden" name="key" value="${key}"><input type="hidden" name="kind" value="${kind}">
<label>As of<span data-utc> (UTC)</span> <input type="datetime-local" step="1" name="at" value="${isPast ? at.slice(0, 19) : ''}"></label><button class="second">Show that moment</button>${isPast ? html` <a href="${address('entity', { account: context.account, key, kind })}">Now</a>` : null}</form>`;
}

function pageLink(to: string | null, words: string): Html | null {
  return to === null ? null : html`<p><a href="${to}" target="_blank" rel="noopener noreferrer">${words}</a></p>`;
}

function side(
  title: string,
  { fields, readAt }: SideShown,
  differing: readonly string[],
  { isKnown, ownPage }: { readonly isKnown: boolean; readonly ownPage: Html | null } = { isKnown: true, ownPage: null },
): Html {
  const rows = Object.entries(fields ?? {}).map(([field, value]) => {
    const mark = differing.includes(field);
    const text = value === null ? html`<span class="none">–</span>` : shownValue(value);
    return html`<dt>${field.replaceAll('_', ' ')}</dt><dd${mark ? html` class="differs"` : null}>${text}${mark ? html` ${badge('wait', 'differs')}` : null}</dd>`;
  });
  return html`<section class="card"><h2 class="of-card">${title}</h2>${readAt === null ? null : html`<p class="facts"><span>read ${sentTime(readAt)}</span></p>`}${
    fields === null
      ? html`<p class="soft">${isKnown ? 'It is not there, as far as it was read.' : 'This side has not been read to the end yet.'}</p>`
      : html`<dl>${rows}</dl>`
  }${ownPage}</section>`;
}

function shownValue(value: string | boolean | readonly string[]): Content {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return timed(value);
  return html`<ul class="plain">${value.map((one) => html`<li>${one}</li>`)}</ul>`;
}

function stockPart(context: PageContext, stock: StockSum): Html {
  const { erp, buffer, lines, figure, field, shown, available } = stock;
  const fixed = [
    {
      what: html`Available in the ERP <small>on hand ${erp.onHand ?? '?'}, reserved ${erp.reserved ?? '?'}</small>`,
      adds: inUnits(erp.available, stock),
      why: html`as of ${sentTime(erp.asOf)}` as Content,
    },
    ...(buffer === '0'
      ? []
      : [
          {
            what: 'Buffer' as Content,
            adds: `−${inUnits(buffer, stock)}`,
            why: 'kept back by the configuration' as Content,
          },
        ]),
  ];
  const rows = [
    ...fixed,
    ...lines.map(({ order, status, adds, why, quantity }) => ({
      what: (order === null
        ? 'No known order'
        : html`<a href="${address('entity', { account: context.account, key: order, kind: 'order' })}">${shortId(order)}</a> <small>${status}, ${quantity} units</small>`) as Content,
      adds: inUnits(adds, stock),
      why: why as Content,
    })),
    {
      what: html`<strong>Buyers may take</strong>`,
      adds: inUnits(available, stock),
      why: `written as ${stockFieldText(field)}: ${figureText(figure, stock)}${shown === null ? '' : `; the marketplace shows ${figureText(shown, stock)}`}`,
    },
  ];
  return html`<h2>Why the stock is ${figureText(figure, stock)}</h2>${table(
    'The sum of the stock',
    [
      { head: 'What', cell: ({ what }) => what },
      { head: 'Adds', isFigure: true, cell: ({ adds }) => adds },
      { head: 'Why', cell: ({ why }) => why },
    ],
    rows,
  )}`;
}

function facilityPart(sum: FacilitySum): Html {
  const { facility, batch, rows, available, reserved, figure, shown } = sum;
  return html`<h2>Why facility ${facility}, batch ${batch} has ${figureText(figure, sum)}</h2>${table(
    `The sum of facility ${facility}, batch ${batch}`,
    [
      { head: 'What', cell: ({ name }) => name },
      { head: 'Adds', isFigure: true, cell: ({ adds }) => adds },
      { head: 'Why', cell: ({ why }) => why },
    ],
    [
      ...rows,
      {
        name: 'Buyers may take',
        adds: available,
        why: `written as ${figureText(figure, sum)} on hand, with ${figureText(reserved, sum)} reserved there; the marketplace shows ${shown === null ? 'nothing' : figureText(shown, sum)}`,
      },
    ],
  )}`;
}

/** Values of more characters than these are folded in with the raw facts. */
const LONG = 60;

function happening({
  at,
  kind,
  flow,
  what,
  before,
  after,
  why,
  outcome,
  answer,
  who,
}: Explanation['story'][number]): Html {
  const facts = [why === '' ? null : timed(why), answer === '' ? null : answer].filter((fact) => fact !== null);
  const values = html`${before === null ? null : html`<del>${valueText(before)}</del> `}${after === null ? null : html`<ins>${valueText(after)}</ins> `}`;
  const isLong = (before ?? '').length + (after ?? '').length > LONG;
  const raw = [...(isLong ? [values] : []), ...facts];
  return html`<li>${sentTime(at)} <strong>${timed(what)}</strong> ${isLong ? null : values}<small>${[kind, flow === null ? null : flowTitle(flow), outcome, who].filter((part) => part !== null).join(', ')}</small>${
    raw.length === 0
      ? null
      : html`<details><summary>Facts</summary>${raw.map((fact) => html`<p class="soft">${fact}</p>`)}</details>`
  }</li>`;
}
