import { z } from 'zod';
import type { InboxRow, WebhookEvent } from '../../store/reading.ts';
import { idsNamed } from '../../use/entity.ts';
import { eventNamed } from '../../use/events.ts';
import { NotFound } from '../../use/faults.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type PageContext, page } from './page.ts';
import { type Column, table } from './rows.ts';
import { badge, entityLink, guideLink, select, time } from './show.ts';

const SHOWN = 50;
/** The most bytes of a body that the screen shows. The terminal shows all of them. */
const LONGEST = 20_000;
const KINDS = [
  ['', 'any'],
  ['orders', 'orders'],
  ['products', 'products'],
] as const;

const query = z.object({
  kind: z.enum(['', 'orders', 'products']).catch(''),
  entity: z.string().trim().max(200).default(''),
  before: z.coerce.number().int().min(1).optional(),
});

/** The webhooks that came, newest first. */
export const EVENTS = page({
  path: '/events',
  section: 'events',
  query,
  async show(context, { kind, entity, before }) {
    const { account, opened } = context;
    const entities = entity === '' ? undefined : await idsNamed(opened.store, [account], entity);
    const choice = { accounts: [account], kind: kind || undefined, entities };
    const found = await opened.store.inbox.latest(SHOWN + 1, choice, before);
    const rows = found.slice(0, SHOWN);
    const last = found.length > SHOWN ? rows.at(-1) : undefined;
    const older = last && address('events', { account, kind, entity, before: String(last.id) });
    const body = html`<h1>Events</h1><p class="lede">The webhooks that came, newest first. A webhook only says where to look.</p>
<form class="filters" method="get" action="events" data-finds="found"><input type="hidden" name="account" value="${account}">
${select('kind', 'Kind', KINDS, kind)}
<label>Order or listing <input type="search" name="entity" value="${entity}" maxlength="200"></label><button>Show</button></form>
<div id="found">${list(context, rows)}
${older && html`<p class="pages"><a class="button second" rel="next" href="${older}">Older</a></p>`}</div>`;
    return { title: 'Events', body };
  },
});

/** The form of the boxes beside the webhooks. */
const CHOSEN = 'chosen-events';

function list(context: PageContext, rows: readonly WebhookEvent[]): Html {
  const { account } = context;
  const mayChoose = rows.filter(({ processedAtMs }) => processedAtMs !== null).length > 1;
  const button = html`<div class="chosen"><button>Look at the chosen once more</button></div>`;
  const form = mayChoose ? action(context, 'resend', {}, button, CHOSEN) : null;
  const choose: Column<WebhookEvent> = {
    head: 'Choose',
    width: 'tick',
    line: 1,
    cell: ({ id, processedAtMs }) =>
      processedAtMs !== null &&
      html`<input type="checkbox" form="${CHOSEN}" name="id" value="${id}" aria-label="Choose webhook ${id}">`,
  };
  const shown = table(
    'Events',
    [
      ...(form === null ? [] : [choose]),
      {
        head: 'Number',
        width: 'short',
        line: 1,
        cell: ({ id }) => html`<a href="${address(`events/${id}`, { account })}">${id}</a>`,
      },
      { head: 'Came', width: 'short', line: 1, cell: ({ receivedAtMs }) => time(receivedAtMs) },
      { head: 'About', isText: true, line: 2, cell: about },
      { head: 'Bytes', isFigure: true, width: 'short', cell: ({ bytes }) => bytes },
      { head: 'State', line: 3, cell: stateOf },
      { head: 'Do', width: 'wide', line: 3, cell: (event) => resend(context, event) },
    ],
    rows,
    html`<p class="lede">No webhook is like this.</p>`,
  );
  return html`${shown}${form}`;
}

function about({ account, kind, entity }: Pick<InboxRow, 'account' | 'kind' | 'entity'>): Html {
  if (entity === null) return html`${kind}`;
  return html`${kind} ${entityLink({ account, flow: kind === 'orders' ? 'order-in' : 'product', key: entity })}`;
}

type State = Pick<InboxRow, 'processedAtMs'>;

function stateOf({ processedAtMs }: State): Html {
  if (processedAtMs === null) return badge('quiet', 'waits for the next read');
  return html`${badge('good', 'looked at')} <small>${time(processedAtMs)}</small>`;
}

function resend(context: PageContext, { id, processedAtMs }: State & Pick<InboxRow, 'id'>): Content {
  if (processedAtMs === null) return null;
  return action(context, 'resend', { id: String(id) }, html`<button class="second">Look once more</button>`);
}

/** One webhook, with its body as it came. */
export const EVENT = page({
  path: '/events/:topic',
  section: 'events',
  query: z.object({}),
  async show(context, _query, topic) {
    if (!/^[1-9]\d{0,14}$/.test(topic)) throw new NotFound('a webhook is named by its number');
    const event = await eventNamed(context.opened, Number(topic));
    const text = event.body.subarray(0, LONGEST).toString('utf8');
    const body = html`<p class="soft"><a href="${address('events', { account: event.account })}">Events</a></p>
<h1>Webhook ${event.id}</h1>
<p class="facts"><span>${about(event)}</span><span>came ${time(event.receivedAtMs)}</span><span>${event.body.length} bytes</span></p>
<p>${stateOf(event)}</p>
<div class="actions">${resend(context, event)}</div>
<h2>Its body, as it came</h2>
<pre class="body" role="region" aria-label="Body" tabindex="0">${text}</pre>
${event.body.length > LONGEST && html`<p class="soft">The first ${LONGEST} bytes. All of it is shown in a terminal: ${guideLink('webhooks', 'how')}.</p>`}`;
    return { title: `Webhook ${event.id}`, body };
  },
});
