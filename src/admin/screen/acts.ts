import { z } from 'zod';
import { counted } from '../../domain/counted.ts';
import type { AdminContext } from '../../use/admin-context.ts';
import { ARCHIVED_SAID, decideArchived } from '../../use/archived.ts';
import { approvePlan, dropPlan, PLAN_HASH, previewApproval, restorePlan } from '../../use/brakes.ts';
import { resendEvent } from '../../use/events.ts';
import { Refused } from '../../use/faults.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { discardJobs, replayJobs, startReplay } from '../../use/jobs/replay.ts';
import { resolveDoubt } from '../../use/jobs/resolve.ts';
import { selectJobs } from '../../use/jobs/select.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { behindText, type Linking, leftText, linkEntities } from '../../use/mapping/link.ts';
import { refusePairs } from '../../use/mapping/suggest.ts';
import { afterUnlink, takeLinkBack, unlinkEntities } from '../../use/mapping/unlink.ts';
import type { Opened } from '../../use/open.ts';
import { isOnlyPause, PAUSABLE, pause, resume } from '../../use/pauses.ts';
import { approvalQuestion, dropQuestion } from './brakes.ts';
import { html } from './html.ts';
import type { Notice } from './notices.ts';
import type { Question } from './page.ts';
import { BRING_BACK, doubtQuestion, linkQuestion, type Pair, pairText } from './questions.ts';

/** Something that an operator does with a form. The account that a form names is one of the configuration. */
export interface Act {
  readonly name: string;
  readonly form: z.ZodType<object>;
  /** The field that a person fills, where a refusal is shown. */
  readonly field?: string;
  /**
   * Answers a sentence for the next page, or the question that has to be answered first.
   * @param isSure the question was answered
   */
  run(opened: AdminContext, form: unknown, signal: AbortSignal, isSure: boolean): Promise<Done | Question>;
}

type Done = Omit<Notice, 'refused'>;

interface Written<Form extends z.ZodType<object>> extends Pick<Act, 'name' | 'field'> {
  readonly form: Form;
  run(opened: AdminContext, form: z.output<Form>, signal: AbortSignal, isSure: boolean): ReturnType<Act['run']>;
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

const withLeft = (said: string, left: string | null) => `${left === null ? said : `${said}; ${left}`}.`;

const id = z.string().trim().min(1).max(200);
const number = z.coerce.number<string>().int().min(1);

/** Boxes of one name: each that is ticked is sent. */
const boxes = z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]);

/** Failed jobs by their numbers, or all that match a filter: no more than were counted on the page. */
const jobsForm = z.object({
  account,
  job: boxes.pipe(z.array(number).max(500)),
  /** Those that were ticked are meant, and never all. */
  chosen: ticked,
  error: z.string().max(300).default(''),
  count: z.coerce.number().int().min(1).max(10_000).default(1),
});

async function jobsOf(opened: Opened, { account: of, job, chosen, error, count }: z.output<typeof jobsForm>) {
  if (chosen && job.length === 0) throw new Refused('no job is ticked: tick at least one');
  const names = job.map((one) => ({ id: one }));
  const selection = { account: of, limit: count, error: error || undefined };
  return (await selectJobs(opened, names, selection)).jobs;
}

const hashOfPlan = z.string().regex(PLAN_HASH);
const planForm = z.object({ hash: hashOfPlan });
/** Items by their numbers. */
const except = boxes.pipe(z.array(z.string().regex(/^[1-9]\d{0,14}$/)));
/** A plan that is kept, as exactly what was shown. */
const keptForm = z.object({ account, plan: number, hash: hashOfPlan });

/** A listing and a product of the ERP. */
const pairForm = z.object({ account, marketplaceId: id, erpId: id });
/** Something of one side, and the id of the other half, which a person types. */
const halfForm = z.object({ account, kind: z.enum(KINDS), side: z.enum(['marketplace', 'erp']), id, other: id });

/** Links the two, or asks with everything that speaks against it. */
async function linkPair(
  opened: Opened,
  pair: Pair & Pick<Linking, 'account' | 'replace'>,
  signal: AbortSignal,
  isSure: boolean,
): Promise<Done | Question> {
  const doubts: string[] = [];
  const isMeant = async (against: readonly string[]) => {
    doubts.push(...against);
    return isSure;
  };
  const done = await linkEntities(opened, { ...pair, sku: undefined }, isMeant, signal);
  if (done === null) return linkQuestion(pair, doubts);
  const said = withLeft(`${pairText(pair)} are linked`, leftText('order-in', 'ERP order', done.left));
  return { said: [said, ...done.replaced.map((one) => `${behindText(one)}.`)].join(' ') };
}

/** Everything that an operator can do with the forms of the screen. */
export const ACTS: readonly Act[] = [
  act({
    name: 'pause',
    field: 'reason',
    form: z.object({ account, flow, reason: z.string().trim().max(200, 'at most 200 characters').default('') }),
    async run(opened, { account: of, flow: stopped, reason }) {
      await pause(opened, of, stopped, reason || undefined);
      const said = `Paused: ${flowTitle(stopped)}. Nothing of it is written, and reading goes on.`;
      const isAlone = await isOnlyPause(opened, of, stopped);
      return { said, undo: isAlone ? { act: 'resume', fields: { account: of, flow: stopped } } : undefined };
    },
  }),
  act({
    name: 'resume',
    form: z.object({ account, flow }),
    async run(opened, form) {
      const { released } = await resume(opened, form.account, form.flow);
      return {
        said: `No longer paused: ${flowTitle(form.flow)}. ${released} that were held for it are looked at again.`,
      };
    },
  }),
  act({
    name: 'replay',
    form: jobsForm,
    async run(opened, form, _signal, isSure) {
      const { account: of, job, chosen, error, count } = form;
      const isByFilter = job.length === 0 && !chosen;
      if (isByFilter && !isSure) {
        return {
          question: `Replay ${counted(count, 'failed job')}?`,
          told: html`<p class="lede">Both sides are looked at afresh, and what is due now is written. Nothing is sent again as it was.</p>`,
          yes: `Replay ${counted(count, 'job')}`,
        };
      }
      if (isByFilter) {
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
    async run(opened, form, _signal, isSure) {
      const jobs = await jobsOf(opened, form);
      if (!isSure) {
        return {
          question: `Discard ${counted(jobs.length, 'failed job')}?`,
          told: html`<p class="lede">They are forgotten until their entities change. This cannot be undone.</p>`,
          yes: `Discard ${counted(jobs.length, 'job')}`,
        };
      }
      await discardJobs(opened, jobs);
      return { said: `${counted(jobs.length, 'job')} discarded until the entity changes.` };
    },
  }),
  act({
    name: 'resolve',
    field: 'adopt',
    form: z.union([
      z.object({ id: number, said: z.literal('adopt'), adopt: id }),
      z.object({ id: number, said: z.enum(['retry', 'drop']) }),
    ]),
    async run(opened, form, signal, isSure) {
      if (!isSure) return doubtQuestion(form);
      const said = form.said === 'adopt' ? { adopt: form.adopt } : form.said;
      const asked = { said, account: undefined };
      const { doubt, makes, left } = await resolveDoubt(opened, [{ id: form.id }], asked, signal);
      return { said: withLeft('It is resolved', leftText(doubt.intent.kind, makes, left)) };
    },
  }),
  act({
    name: 'approve',
    form: planForm.extend({ except }),
    async run(opened, { hash, except: left }, _signal, isSure) {
      const preview = isSure ? null : await previewApproval(opened, hash, left, Date.now());
      if (preview !== null && preview.approved.length > 0) return approvalQuestion(opened, preview);
      const { approved } = await approvePlan(opened, hash, left);
      return { said: `${counted(approved.length, 'write')} approved, each once, exactly as shown.` };
    },
  }),
  act({
    name: 'drop',
    form: planForm,
    async run(opened, { hash }, _signal, isSure) {
      const preview = isSure ? null : await previewApproval(opened, hash, [], Date.now());
      if (preview !== null) return dropQuestion(opened, preview);
      const { plan, dropped } = await dropPlan(opened, hash);
      const said = `${counted(dropped.length, 'write')} dropped until another value is to be written.`;
      return { said, undo: { act: 'restore', fields: { plan: String(plan.id) } } };
    },
  }),
  act({
    name: 'restore',
    form: z.object({ plan: number }),
    async run(opened, { plan }) {
      const { restored } = await restorePlan(opened, plan);
      return { said: `${counted(restored.length, 'write')} held again, for a decision.` };
    },
  }),
  act({
    name: 'plan',
    form: z.object({ account, lift: ticked }),
    async run(opened, form) {
      opened.plans.make(form.account, { liftsPauses: form.lift, by: opened.by });
      return { said: 'The next passes are rehearsed on a copy. Nothing is written.' };
    },
  }),
  act({
    name: 'plan-approve',
    form: keptForm,
    async run(opened, { account: of, plan, hash }) {
      await opened.plans.approve(of, plan, hash, opened.by);
      return { said: `Plan ${plan} is approved, exactly as shown. Nothing is written before it is applied.` };
    },
  }),
  act({
    name: 'plan-apply',
    form: keptForm,
    async run(opened, { account: of, plan, hash }) {
      await opened.plans.apply(of, plan, hash, opened.by);
      return { said: `Plan ${plan} is being written, as far as it still holds.` };
    },
  }),
  act({
    name: 'cancel',
    form: z.object({ account, task: number }),
    async run(opened, { account: of, task }) {
      opened.tasks.cancel(of, task);
      return { said: 'The task ends. Everything done so far stays done.' };
    },
  }),
  act({
    name: 'link',
    form: pairForm,
    async run(opened, form, signal, isSure) {
      const { account: of, marketplaceId } = form;
      const done = await linkPair(opened, { ...form, kind: 'product', replace: false }, signal, isSure);
      return 'said' in done ? { ...done, undo: { act: 'unlink', fields: { account: of, marketplaceId } } } : done;
    },
  }),
  act({
    name: 'link-half',
    form: halfForm,
    field: 'other',
    async run(opened, { account: of, kind, side, id: own, other }, signal, isSure) {
      const [marketplaceId, erpId] = side === 'marketplace' ? [own, other] : [other, own];
      return linkPair(opened, { account: of, kind, marketplaceId, erpId, replace: 'ask' }, signal, isSure);
    },
  }),
  act({
    name: 'separate',
    form: z.object({ account, kind: z.enum(KINDS), marketplaceId: id }),
    async run(opened, { account: of, kind, marketplaceId }, _signal, isSure) {
      const named = { account: of, kind, marketplaceId, erpId: undefined };
      if (!isSure) {
        const link = await opened.store.mappings.byMarketplaceId(of, kind, marketplaceId);
        return {
          question: `${pairText({ kind, marketplaceId, erpId: link?.erpId ?? 'none' })}: unlink them?`,
          told: html`<p class="lede">Nothing is deleted. Both sides are looked at afresh, as if they had never been linked: what is missing on one of them may be made anew there.</p>`,
          yes: 'Unlink them',
        };
      }
      return { said: `They are linked no longer. ${afterUnlink(await unlinkEntities(opened, named))}` };
    },
  }),
  act({
    name: 'unlink',
    form: pairForm.pick({ account: true, marketplaceId: true }),
    async run(opened, { account: of, marketplaceId }) {
      const unlinked = await takeLinkBack(opened, of, marketplaceId);
      return { said: `They are linked no longer. ${afterUnlink(unlinked)}` };
    },
  }),
  act({
    name: 'refuse',
    form: pairForm,
    async run(opened, { account: of, marketplaceId, erpId }) {
      await refusePairs(opened, of, [{ listingId: Number(marketplaceId), erpId }]);
      return { said: `Listing ${marketplaceId} is not ${erpId}: it is not suggested again.` };
    },
  }),
  act({
    name: 'archived',
    form: z.object({ account, listing: number, said: z.enum(ARCHIVED_SAID) }),
    async run(opened, { account: of, listing, said }, _signal, isSure) {
      if (said === 'asked-back' && !isSure) return BRING_BACK;
      await decideArchived(opened, of, listing, said);
      const undo = { act: 'archived', fields: { account: of, listing: String(listing), said: 'open' } };
      return {
        'asked-back': { said: `Listing ${listing} is brought back.`, undo },
        left: { said: `Listing ${listing} stays archived.`, undo },
        open: { said: `Listing ${listing} waits for a decision again.` },
      }[said];
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
