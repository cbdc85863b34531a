import type { Task } from '../../use/tasks.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type PageContext } from './page.ts';
import { ago, badge, bar, type Tone } from './show.ts';

const WORDS = { plan: 'Making a plan', apply: 'Applying a plan', replay: 'Replaying' } as const satisfies Record<
  Task['kind'],
  string
>;
const TONES: Readonly<Record<Task['state'], Tone>> = {
  running: 'wait',
  done: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

/** The last task of these kinds: how far it is, or how it ended. The part updates itself. */
export function lastTask(context: PageContext, kinds: readonly Task['kind'][]): Html {
  const task = context.opened.tasks.of(context.account).find(({ kind }) => kinds.includes(kind));
  return html`<div id="task" data-live>${task === undefined ? null : taskCard(context, task)}</div>`;
}

function taskCard(context: PageContext, task: Task): Html {
  const { id, account, kind, by, state, beganAtMs, said, plan } = task;
  return html`<section class="card task" data-task="${state}"><p class="facts"><span>${badge(TONES[state], state)}</span><span>${WORDS[kind]}</span><span>by ${by}</span><span>begun ${ago(beganAtMs, context.nowMs)}</span></p>
${said === null ? progress(task) : html`<p>${said}${plan === null || kind === 'apply' ? null : html` <a href="${address(`plans/${plan}`, { account })}">Look at the plan</a>`}</p>`}
${state === 'running' ? action(context, 'cancel', { account, task: String(id) }, html`<button class="second">Cancel</button>`) : null}</section>`;
}

function progress({ step, done, total }: Task): Content {
  if (total === null) return html`<p>${step}: ${done}</p>`;
  return html`<p>${step}: ${done} of ${total}</p>${bar(done, total)}`;
}
