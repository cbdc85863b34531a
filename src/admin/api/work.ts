import { z } from 'zod';
import { STATES } from '../../use/jobs/cases.ts';
import { dossierNamed } from '../../use/jobs/dossier.ts';
import { type CaseShown, heldCount, jobsPage, keyText, parseKey } from '../../use/jobs/list.ts';
import { discardJobs, pickOf, replayJobs } from '../../use/jobs/replay.ts';
import { resolveDoubt } from '../../use/jobs/resolve.ts';
import { namesOf, selectJobs } from '../../use/jobs/select.ts';
import { shownDossier, shownDoubt, shownJob, shownStopped } from '../../use/jobs/shown.ts';
import type { Opened } from '../../use/open.ts';
import { type JsonOf, shownCause, shownFields } from '../../use/shapes.ts';
import { account, accountName, afterAs, instant, limit, named, ofAccount, page, route } from './route.ts';

const ofEntity = { account: z.string(), flow: z.string(), key: z.string() };

const job = named('FailedJob', {
  id: z.int(),
  ...ofEntity,
  ...shownCause.shape,
  attempts: z.int(),
  failed_at: instant,
});

const stopped = z.object({ ...ofEntity, ...shownCause.shape, since: instant.nullable() });

const doubt = named('Doubt', {
  id: z.int(),
  ...ofEntity,
  kind: z.string(),
  state: z.string(),
  begun_at: instant,
  sent: z.string().nullable(),
  evidence: z.array(shownCause),
  candidates: z.array(z.string()),
  choices: z.array(z.string()).meta({ description: 'As they are typed in a terminal' }),
});

const change = named('Change', {
  at: instant,
  action: z.string(),
  target: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  why: z.string(),
  outcome: z.string(),
  answer: z.string(),
});

const entity = named('Entity', {
  ...ofEntity,
  failed: job.nullable(),
  work: z.object({ state: z.string(), reason: z.string(), held_for: z.array(shownCause), since: instant }).nullable(),
  link: z
    .object({
      marketplace_id: z.string().nullable(),
      erp_id: z.string().nullable(),
      state: z.string(),
      how: z.string(),
    })
    .nullable(),
  invalidRow: z.string().nullable(),
  marketplace: shownFields,
  erp: shownFields,
  alerts: z.array(shownCause),
  creates: z.array(
    z.object({
      id: z.int(),
      kind: z.string(),
      key: z.string(),
      state: z.string(),
      evidence: shownCause.nullable(),
      sent_at: instant,
      candidates: z.array(z.string()),
      choices: z.array(z.string()),
    }),
  ),
  journal: z.array(change).meta({ description: 'Newest first' }),
});

/** A choice among the failed jobs, as `jobs replay` and `jobs discard` take it. */
const chosen = z
  .strictObject({
    account: accountName.optional(),
    jobs: z
      .array(z.string().min(1).max(300))
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Their numbers, or FLOW/KEY' }),
    all: z.literal(true).optional(),
    error: z.string().min(1).max(300).optional().meta({ description: 'Part of their cause or message' }),
    older_than_ms: z.int().min(0).optional(),
    limit: z.int().min(1).max(10_000).optional(),
    dry_run: z.boolean().default(false).meta({ description: 'Only counts and lists them' }),
  })
  .refine(
    ({ jobs = [], all, error, older_than_ms: olderThan }) =>
      ['named', 'filtered'].includes(pickOf(jobs, { all, error, olderThan })),
    'name jobs, or choose them by all, error or older_than_ms',
  );

async function choose(opened: Opened, { jobs: names = [], ...choice }: z.output<typeof chosen>) {
  const { account: of, error, older_than_ms: olderThan, limit: most } = choice;
  const selection = { account: of, error, olderThan, limit: most };
  const { jobs, missing } = await selectJobs(opened, await namesOf(opened, names, of), selection);
  return { jobs, missing: missing.map((one) => ('id' in one ? String(one.id) : `${one.flow}/${one.key}`)) };
}

const done = z.object({
  dry_run: z.boolean(),
  count: z.int(),
  missing: z.array(z.string()).meta({ description: 'Names without a failed job' }),
  jobs: z.array(job),
});

/** The state of a case, by which its other fields are told apart. */
const shownCase = z.discriminatedUnion('type', [
  named('FailedCase', { type: z.literal('failed'), ...job.shape }),
  named('DoubtCase', { type: z.literal('in-doubt'), ...doubt.shape }),
  named('HeldCase', { type: z.literal('held'), ...stopped.shape }),
  named('AlertCase', { type: z.literal('alert'), ...stopped.shape }),
]);

function shownCaseOf(one: CaseShown): JsonOf<z.input<typeof shownCase>> {
  if ('job' in one) return { type: 'failed', ...shownJob(one.job) };
  if ('doubt' in one) return { type: 'in-doubt', ...shownDoubt(one.doubt) };
  return { type: one.state === 'alert' ? 'alert' : 'held', ...shownStopped(one.stopped) };
}

export const WORK_ROUTES = [
  route({
    id: 'listJobs',
    method: 'GET',
    path: '/jobs',
    summary:
      'Everything that does not continue by itself: failed jobs, writes with an unknown result, and on request held entities or alerts',
    query: ofAccount.extend({
      state: z.enum(STATES).optional(),
      error: z.string().max(300).optional(),
      after: afterAs(parseKey).optional(),
      limit,
    }),
    answer: page(shownCase).extend({ held: z.int().meta({ description: 'How many are held' }) }),
    async run(opened, { query: { account: of, state, error, after: key, limit: asked } }) {
      const found = await jobsPage(opened, { account: of, error }, state, key ?? null, asked);
      return {
        items: found.cases.map(shownCaseOf),
        next: found.next && keyText(found.next),
        held: await heldCount(opened, of, state),
      };
    },
  }),
  route({
    id: 'getEntity',
    method: 'GET',
    path: '/accounts/{account}/entities/{flow}/{key}',
    summary: 'All about one entity: both sides, its attempts and writes, and why it does not continue',
    parameters: account.extend({ flow: z.string().max(40), key: z.string().min(1).max(200) }),
    answer: entity,
    async run(opened, { path }) {
      const { account: of, flow, key } = path;
      const { dossier } = await dossierNamed(opened, await namesOf(opened, [flow, key], of), of);
      return shownDossier(dossier);
    },
  }),
  route({
    id: 'replayJobs',
    method: 'POST',
    path: '/jobs/replay',
    summary: 'Retries failed jobs from the current state of both sides. The old request is not resent',
    body: chosen,
    answer: done.extend({ acts: z.array(z.int()).meta({ description: 'Their acts in the audit log' }) }),
    async run(opened, { body }) {
      const { jobs, missing } = await choose(opened, body);
      const acts = await replayJobs(opened, jobs, body.dry_run);
      return { dry_run: body.dry_run, count: jobs.length, missing, jobs: jobs.map(shownJob), acts };
    },
  }),
  route({
    id: 'discardJobs',
    method: 'POST',
    path: '/jobs/discard',
    summary: 'Forgets failed jobs until their entity changes',
    body: chosen,
    answer: done,
    async run(opened, { body }) {
      const { jobs, missing } = await choose(opened, body);
      await discardJobs(opened, jobs, body.dry_run);
      return { dry_run: body.dry_run, count: jobs.length, missing, jobs: jobs.map(shownJob) };
    },
  }),
  route({
    id: 'resolveDoubt',
    method: 'POST',
    path: '/doubts/{id}/resolve',
    summary: 'Decides about a write whose result is unknown',
    parameters: z.strictObject({ id: z.coerce.number().int().min(1) }),
    body: z.union([
      z.strictObject({ adopt: z.string().min(1).max(200) }).meta({ description: 'This is what it made' }),
      z.strictObject({ retry: z.literal(true) }).meta({ description: 'The write was not applied: it is retried' }),
      z.strictObject({ drop: z.literal(true) }).meta({ description: 'The write is given up until the entity changes' }),
    ]),
    answer: doubt.extend({
      left: z.array(z.string()).meta({ description: 'Other candidates, which stay as they are' }),
    }),
    async run(opened, { path, body, signal }) {
      const said = 'adopt' in body ? { adopt: body.adopt } : 'retry' in body ? 'retry' : 'drop';
      const resolved = await resolveDoubt(opened, [{ id: path.id }], { said, account: undefined }, signal);
      return { ...shownDoubt(resolved.doubt), left: resolved.left };
    },
  }),
];
