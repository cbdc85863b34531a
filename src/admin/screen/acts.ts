import { z } from 'zod';
import { counted } from '../../domain/counted.ts';
import { resendEvent } from '../../use/events.ts';
import { Refused } from '../../use/faults.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { discardJobs, replayJobs, startReplay } from '../../use/jobs/replay.ts';
import { resolveDoubt } from '../../use/jobs/resolve.ts';
import { selectJobs } from '../../use/jobs/select.ts';
import { lookAgain } from '../../use/look-again.ts';
import { remainingText } from '../../use/mapping/link.ts';
import type { Opened } from '../../use/open.ts';
import { beforeResume, isOnlyPause, PAUSABLE, pause, resume } from '../../use/pauses.ts';
import { triedText } from '../../use/tried-sides.ts';
import { type Act, account, act, checkbox, checkboxes, id, number, withRemainder } from './act.ts';
import { html } from './html.ts';
import { LINK_ACTS } from './link-acts.ts';
import { PAIR_ACTS } from './pair-acts.ts';
import { PLAN_ACTS } from './plan-acts.ts';
import { doubtQuestion, resumeQuestion } from './questions.ts';

const flow = z.enum(PAUSABLE as [string, ...string[]]);

/** Failed jobs by their numbers, or all that match a filter: no more than were counted on the page. */
const jobsForm = z.object({
  account,
  job: checkboxes.pipe(z.array(number).max(500)),
  /** Those that were ticked are meant, and never all. */
  chosen: checkbox,
  error: z.string().max(300).default(''),
  count: z.coerce.number().int().min(1).max(10_000).default(1),
});

async function jobsOf(opened: Opened, { account: of, job, chosen, error, count }: z.output<typeof jobsForm>) {
  if (chosen && job.length === 0) throw new Refused('no job is ticked: tick at least one');
  const names = job.map((one) => ({ id: one }));
  const selection = { account: of, limit: count, error: error || undefined };
  return (await selectJobs(opened, names, selection)).jobs;
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
      const undo = { act: 'resume', fields: { account: of, flow: stopped, sure: 'yes' } };
      return { said, undo: isAlone ? undo : undefined };
    },
  }),
  act({
    name: 'resume',
    form: z.object({ account, flow }),
    async run(opened, form, _signal, isSure) {
      if (!isSure) return resumeQuestion(form.flow, await beforeResume(opened, form.account, form.flow));
      const { released, stillPaused } = await resume(opened, form.account, form.flow);
      const still = stillPaused === null ? '' : ` Everything else is still paused: ${stillPaused}.`;
      return {
        said: `No longer paused: ${flowTitle(form.flow)}. ${released} that were held for it are looked at again.${still}`,
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
    name: 'look-again',
    form: z.object({ account, kind: z.enum(['order', 'product']), row: checkboxes.pipe(z.array(id).max(500)) }),
    async run(opened, { account: of, kind, row: ids }) {
      if (ids.length === 0) throw new Refused('no row is ticked: tick at least one');
      const count = await lookAgain(opened, of, { kind, ids });
      const [what, is] = [counted(ids.length, kind), ids.length === 1 ? 'is' : 'are'];
      return {
        said: count === 0 ? `Nothing of ${what} is held or failed.` : `${what} ${is} looked at afresh, on both sides.`,
      };
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
      if (!isSure) return doubtQuestion(form, await opened.store.doubts.get(form.id));
      const said = form.said === 'adopt' ? { adopt: form.adopt } : form.said;
      const asked = { said, account: undefined };
      const { doubt, makes, left } = await resolveDoubt(opened, [{ id: form.id }], asked, signal);
      return { said: withRemainder('It is resolved', remainingText(doubt.intent.kind, makes, left)) };
    },
  }),
  ...PLAN_ACTS,
  ...LINK_ACTS,
  ...PAIR_ACTS,
  act({
    name: 'try-sides',
    form: z.object({ account }),
    async run(opened, { account: of }, signal) {
      const tried = await opened.sides.again(opened, of, signal);
      const isWell = tried.findings.every(({ level }) => level !== 'fail');
      return {
        said: `${isWell ? 'Both sides answer' : 'Not all is well'}: ${triedText(tried)}. The overview shows each.`,
      };
    },
  }),
  act({
    name: 'resend',
    form: z.object({ id: checkboxes.pipe(z.array(number).max(500)) }),
    async run(opened, { id: ids }) {
      if (ids.length === 0) throw new Refused('no webhook is ticked: tick at least one');
      for (const one of ids) await resendEvent(opened, one);
      const said =
        ids.length === 1
          ? `Webhook ${ids[0]} is looked at with the next read of its list.`
          : `${ids.length} webhooks are looked at with the next read of their lists.`;
      return { said };
    },
  }),
];
