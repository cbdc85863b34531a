import { z } from 'zod';
import { counted } from '../../domain/counted.ts';
import { approvePlan, dropPlan, PLAN_HASH, previewApproval, restorePlan } from '../../use/brakes.ts';
import { type Act, account, act, checkbox, checkboxes, number } from './act.ts';
import { approvalQuestion, dropQuestion } from './brakes.ts';
import { applyQuestion, planApprovalQuestion } from './questions.ts';

const hashOfPlan = z.string().regex(PLAN_HASH);
const planForm = z.object({ hash: hashOfPlan });
/** Items by their numbers. */
const except = checkboxes.pipe(z.array(z.string().regex(/^[1-9]\d{0,14}$/)));
/** A plan that is kept, as exactly what was shown. */
const keptForm = z.object({ account, plan: number, hash: hashOfPlan });

/** The acts on the plans of brakes, and on plans that are kept. */
export const PLAN_ACTS: readonly Act[] = [
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
    form: z.object({ account, lift: checkbox }),
    async run(opened, form) {
      opened.plans.make(form.account, { liftsPauses: form.lift, by: opened.by });
      return { said: 'The next passes are rehearsed on a copy. Nothing is written.' };
    },
  }),
  act({
    name: 'plan-approve',
    form: keptForm.extend({ except: checkboxes.pipe(z.array(z.string().max(400))) }),
    async run(opened, { account: of, plan, hash, except: left }, _signal, isSure) {
      const { plans } = opened;
      const what = isSure ? null : await plans.approvable(of, plan, hash, left);
      if (what !== null && what.writes + what.links > 0) return planApprovalQuestion(plans.get(of, plan), what, left);
      await plans.approve(of, plan, hash, left, opened.by);
      return { said: `Plan ${plan} is approved, exactly as shown. Nothing is written before it is applied.` };
    },
  }),
  act({
    name: 'plan-apply',
    form: keptForm,
    async run(opened, { account: of, plan, hash }, _signal, isSure) {
      const { plans } = opened;
      const kept = plans.get(of, plan);
      if (!isSure) return applyQuestion(kept, await plans.approvable(of, plan, hash, kept.approved?.except ?? []));
      await plans.apply(of, plan, hash, opened.by);
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
];
