import { z } from 'zod';
import { counted } from '../../domain/counted.ts';
import { approvePlan, dropPlan, PLAN_HASH } from '../../use/brakes.ts';
import type { Desk } from '../../use/desk.ts';
import { resendEvent } from '../../use/events.ts';
import { UsageError } from '../../use/faults.ts';
import { discardJobs, replayJobs, startReplay } from '../../use/jobs/replay.ts';
import { resolveDoubt } from '../../use/jobs/resolve.ts';
import { selectJobs } from '../../use/jobs/select.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { leftText, linkEntities } from '../../use/mapping/link.ts';
import { refusePairs } from '../../use/mapping/suggest.ts';
import type { Opened } from '../../use/open.ts';
import { PAUSABLE, pause, resume } from '../../use/pauses.ts';

/** Something that an operator does with a form. The account that a form names is one of the configuration. */
export interface Act {
  readonly name: string;
  readonly form: z.ZodType<object>;
  /** Answers a sentence for the next page. */
  run(opened: Desk, form: unknown, signal: AbortSignal): Promise<{ readonly said: string }>;
}

interface Written<Form extends z.ZodType<object>> extends Pick<Act, 'name'> {
  readonly form: Form;
  run(opened: Desk, form: z.output<Form>, signal: AbortSignal): ReturnType<Act['run']>;
}

function act<Form extends z.ZodType<object>>(written: Written<Form>): Act {
  return written;
}

/** A box that is ticked, or is not sent. */
const ticked = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes');

const account = z.string().min(1).max(200);
const flow = z.enum(PAUSABLE as [string, ...string[]]);
const what = (name: string) => (name === 'all' ? 'Everything' : name);

const withLeft = (said: string, left: string | null) => `${left === null ? said : `${said}; ${left}`}.`;

const id = z.string().trim().min(1).max(200);
const number = z.coerce.number().int().min(1);

/** One failed job by its number, or all that match a filter: no more than were counted on the page. */
const jobsForm = z.object({
  account,
  job: number.optional(),
  error: z.string().max(300).default(''),
  count: z.coerce.number().int().min(1).max(10_000).default(1),
});

async function jobsOf(opened: Opened, { account: of, job, error, count }: z.output<typeof jobsForm>) {
  const names = job === undefined ? [] : [{ id: job }];
  const selection = { account: of, limit: count, error: error || undefined };
  return (await selectJobs(opened, names, selection)).jobs;
}

const hashOfPlan = z.string().regex(PLAN_HASH);
const planForm = z.object({ hash: hashOfPlan });
/** A plan that is kept, as exactly what was shown. */
const keptForm = z.object({ account, plan: number, hash: hashOfPlan });

/** Everything that an operator can do with the forms of the screen. */
export const ACTS: readonly Act[] = [
  act({
    name: 'pause',
    form: z.object({ account, flow, reason: z.string().trim().max(300).default('') }),
    async run(opened, form) {
      await pause(opened, form.account, form.flow, form.reason || undefined);
      return { said: `${what(form.flow)} is paused: nothing of it is written. Reading goes on.` };
    },
  }),
  act({
    name: 'resume',
    form: z.object({ account, flow }),
    async run(opened, form) {
      const { released } = await resume(opened, form.account, form.flow);
      return { said: `${what(form.flow)} goes on. ${released} that were held for it are looked at again.` };
    },
  }),
  act({
    name: 'replay',
    form: jobsForm,
    async run(opened, form) {
      const { account: of, job, error, count } = form;
      if (job === undefined) {
        startReplay(opened, of, { error, limit: count });
        return { said: `${counted(count, 'job')} will be looked at afresh.` };
      }
      const jobs = await jobsOf(opened, form);
      await replayJobs(opened, jobs);
      return { said: `${counted(jobs.length, 'job')} will be looked at afresh.` };
    },
  }),
  act({
    name: 'discard',
    form: jobsForm,
    async run(opened, form) {
      const jobs = await jobsOf(opened, form);
      await discardJobs(opened, jobs);
      return { said: `${counted(jobs.length, 'job')} discarded until the entity changes.` };
    },
  }),
  act({
    name: 'resolve',
    form: z.union([
      z.object({ id: number, said: z.literal('adopt'), adopt: z.string().trim().min(1).max(200) }),
      z.object({ id: number, said: z.enum(['retry', 'drop']) }),
    ]),
    async run(opened, form, signal) {
      const said = form.said === 'adopt' ? { adopt: form.adopt } : form.said;
      const asked = { said, account: undefined };
      const { doubt, makes, left } = await resolveDoubt(opened, [{ id: form.id }], asked, signal);
      return { said: withLeft('It is resolved', leftText(doubt.intent.kind, makes, left)) };
    },
  }),
  act({
    name: 'approve',
    form: planForm,
    async run(opened, { hash }) {
      const { approved } = await approvePlan(opened, hash, []);
      return { said: `${counted(approved.length, 'write')} approved, each once, exactly as shown.` };
    },
  }),
  act({
    name: 'drop',
    form: planForm,
    async run(opened, { hash }) {
      const { dropped } = await dropPlan(opened, hash);
      return { said: `${counted(dropped.length, 'write')} dropped until another value is to be written.` };
    },
  }),
  act({
    name: 'plan',
    form: z.object({ account, lift: ticked }),
    async run(desk, form) {
      desk.plans.make(form.account, { liftsPauses: form.lift, by: desk.by });
      return { said: 'The next passes are rehearsed on a copy. Nothing is written.' };
    },
  }),
  act({
    name: 'plan-approve',
    form: keptForm,
    async run(desk, { account: of, plan, hash }) {
      await desk.plans.approve(of, plan, hash, desk.by);
      return { said: `Plan ${plan} is approved, exactly as shown. Nothing is written before it is applied.` };
    },
  }),
  act({
    name: 'plan-apply',
    form: keptForm,
    async run(desk, { account: of, plan, hash }) {
      await desk.plans.apply(of, plan, hash, desk.by);
      return { said: `Plan ${plan} is being written, as far as it still holds.` };
    },
  }),
  act({
    name: 'cancel',
    form: z.object({ account, task: number }),
    async run(desk, { account: of, task }) {
      desk.tasks.cancel(of, task);
      return { said: 'The task ends. Everything done so far stays done.' };
    },
  }),
  act({
    name: 'link',
    form: z.object({ account, kind: z.enum(KINDS), marketplaceId: id, erpId: id, confirm: ticked }),
    async run(opened, { confirm, ...form }, signal) {
      const isMeant = async (against: readonly string[]) => {
        if (confirm) return true;
        throw new UsageError(`${against.join('. ')}. Tick the box if it is meant. Nothing was linked`);
      };
      const linking = { ...form, sku: undefined, replace: false };
      const done = await linkEntities(opened, linking, isMeant, signal);
      if (done === null) return { said: 'Nothing was linked.' };
      const linked = `${form.marketplaceId} and ${done.erpId} are ${done.outcome}`;
      return { said: withLeft(linked, leftText('order-in', 'ERP order', done.left)) };
    },
  }),
  act({
    name: 'refuse',
    form: z.object({ account, marketplaceId: id, erpId: id }),
    async run(opened, { account: of, marketplaceId, erpId }) {
      await refusePairs(opened, of, [{ listingId: Number(marketplaceId), erpId }]);
      return { said: `Listing ${marketplaceId} is not ${erpId}: it is not suggested again.` };
    },
  }),
  act({
    name: 'resend',
    form: z.object({ id: number }),
    async run(opened, form) {
      await resendEvent(opened, form.id);
      return { said: `Webhook ${form.id} is looked at with the next read of its list.` };
    },
  }),
];
