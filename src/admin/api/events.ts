import { z } from 'zod';
import { accountNames } from '../../use/accounts.ts';
import { idsNamed } from '../../use/entity.ts';
import { eventNamed, resendEvent, shownEvent, shownWhole } from '../../use/events.ts';
import { afterNumber, instant, limit, named, ofAccount, page, pageOf, route } from './route.ts';

const event = named('Event', {
  id: z.int(),
  account: z.string(),
  kind: z.enum(['orders', 'products']),
  entity: z.string().nullable().meta({ description: "The order's number or the listing's id that it names" }),
  bytes: z.int(),
  received_at: instant,
  looked_at: instant.nullable().meta({ description: 'null: it waits for the next read' }),
});

const numbered = z.strictObject({ id: z.coerce.number().int().min(1) });

export const EVENT_ROUTES = [
  route({
    id: 'listEvents',
    method: 'GET',
    path: '/events',
    summary: 'The webhooks that came, newest first',
    query: ofAccount.extend({
      kind: z.enum(['orders', 'products']).optional(),
      entity: z.string().min(1).max(200).optional(),
      after: afterNumber,
      limit,
    }),
    answer: page(event),
    async run({ config, store }, { query: { account, kind, entity, after, limit: asked } }) {
      const accounts = accountNames(config, account);
      const entities = entity === undefined ? undefined : await idsNamed(store, accounts, entity);
      const rows = await store.inbox.latest(asked, { accounts, kind, entities }, after);
      return pageOf(rows, asked, ({ id }) => id, shownEvent);
    },
  }),
  route({
    id: 'getEvent',
    method: 'GET',
    path: '/events/{id}',
    summary: 'A webhook with its body as it came',
    parameters: numbered,
    answer: event.extend({ body: z.string() }),
    run: async (opened, { path }) => shownWhole(await eventNamed(opened, path.id)),
  }),
  route({
    id: 'resendEvent',
    method: 'POST',
    path: '/events/{id}/resend',
    summary: 'Processes a webhook again, as if it had arrived now',
    parameters: numbered,
    answer: z.object({ id: z.int(), waits: z.literal(true) }),
    async run(opened, { path }) {
      await resendEvent(opened, path.id);
      return { id: path.id, waits: true as const };
    },
  }),
];
