import { z } from 'zod';
import { accountNames, accountsFor } from '../../use/accounts.ts';
import { idsNamed } from '../../use/entity.ts';
import { shownAct, shownEntry } from '../../use/journal.ts';
import { afterNumber, change, instant, limit, named, ofAccount, page, pageOf, route } from './route.ts';

const done = { account: z.string(), ...change, outcome: z.string() };

const entry = named('JournalEntry', { id: z.int(), at: instant, ...done, why: z.string(), answer: z.string() });

const act = named('Act', {
  id: z.int(),
  at: instant,
  ...done,
  who: z.string(),
  result_of: z.int().nullable(),
  previous_hash: z.string(),
  hash: z.string(),
});

export const RECORD_ROUTES = [
  route({
    id: 'listJournal',
    method: 'GET',
    path: '/journal',
    summary: 'The journal of writes, links, notes and alerts, oldest first',
    query: ofAccount.extend({
      flow: z.string().optional(),
      key: z.string().optional(),
      since: z.iso.datetime({ offset: true }).optional(),
      after: afterNumber,
      limit,
    }),
    answer: page(entry),
    async run({ config, store }, { query: { account, flow, key, since, after, limit: asked } }) {
      const accounts = accountNames(config, account);
      const sinceMs = since === undefined ? undefined : Date.parse(since);
      const rows = await store.journal.after(after ?? 0, asked, {
        accounts,
        flow,
        keys: key === undefined ? undefined : await idsNamed(store, accounts, key),
        sinceMs,
      });
      return pageOf(rows, asked, ({ id }) => id, shownEntry);
    },
  }),
  route({
    id: 'listAudit',
    method: 'GET',
    path: '/audit',
    summary: 'The acts of people, newest first',
    query: ofAccount.extend({ after: afterNumber, limit }),
    answer: page(act),
    async run({ config, store }, { query: { account, after, limit: asked } }) {
      if (account !== undefined) accountsFor(config, account);
      const rows = (await store.audit.latest(asked, account, after)).toReversed();
      return pageOf(rows, asked, ({ id }) => id, shownAct);
    },
  }),
  route({
    id: 'verifyAudit',
    method: 'GET',
    path: '/audit/verification',
    summary: 'Whether the hash chain of the audit log is complete and unchanged',
    answer: z.object({
      whole: z.boolean(),
      rows: z.int(),
      last_hash: z.string().nullable(),
      broken: z.object({ id: z.int(), why: z.string() }).nullable(),
    }),
    async run({ store }) {
      const { rows, lastHash, broken } = await store.audit.verify();
      return { whole: broken === null, rows, last_hash: lastHash, broken };
    },
  }),
];
