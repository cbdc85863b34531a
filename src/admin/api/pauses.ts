import { z } from 'zod';
import { accountNames } from '../../use/accounts.ts';
import { PAUSABLE, pause, resume } from '../../use/pauses.ts';
import { accountName, asInstant, instant, named, ofAccount, page, route, whole } from './route.ts';

const flow = z
  .enum(PAUSABLE as [string, ...string[]])
  .meta({ description: 'A flow, or "all" for every flow of the account' });
const paused = named('Pause', { account: z.string(), flow: z.string(), reason: z.string(), since: instant });
const ofFlow = z.strictObject({ account: accountName, flow });

export const PAUSE_ROUTES = [
  route({
    id: 'listPauses',
    method: 'GET',
    path: '/pauses',
    summary: 'The flows that somebody has stopped',
    query: ofAccount,
    answer: page(paused),
    async run({ config, store }, { query }) {
      const names = accountNames(config, query.account);
      const pauses = (await store.pauses.all()).filter(({ account }) => names.includes(account));
      return whole(pauses.map(({ sinceMs, ...rest }) => ({ ...rest, since: asInstant(sinceMs) })));
    },
  }),
  route({
    id: 'pauseFlow',
    method: 'PUT',
    path: '/accounts/{account}/pauses/{flow}',
    summary: 'Stops the writes of a flow. Reading continues',
    parameters: ofFlow,
    body: z.strictObject({ reason: z.string().trim().min(1).max(300).optional() }),
    answer: z.object({ account: z.string(), flow: z.string(), paused: z.literal(true), reason: z.string() }),
    async run(opened, { path, body }) {
      const reason = await pause(opened, path.account, path.flow, body.reason);
      return { ...path, paused: true as const, reason };
    },
  }),
  route({
    id: 'resumeFlow',
    method: 'DELETE',
    path: '/accounts/{account}/pauses/{flow}',
    summary: 'Ends a pause. The entities that it held are processed again',
    parameters: ofFlow,
    answer: z.object({
      account: z.string(),
      resumed: z.array(z.string()),
      released: z.int(),
      still_paused: z.string().nullable(),
    }),
    async run(opened, { path }) {
      const { lifted, released, stillPaused } = await resume(opened, path.account, path.flow);
      return { account: path.account, resumed: lifted.map((one) => one.flow), released, still_paused: stillPaused };
    },
  }),
];
