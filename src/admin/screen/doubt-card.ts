import { shownCause } from '../../domain/causes/cause.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import type { Intent } from '../../store/intents.ts';
import { entityLabel } from '../../use/entity-label.ts';
import type { Explanation } from '../../use/explain/explanation.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { choicesOf, type Doubt, doubtOf, targetOf } from '../../use/jobs/doubts.ts';
import { entityNamed } from './entity-names.ts';
import { type Content, type Html, html } from './html.ts';
import { action, type PageContext, textField } from './page.ts';
import { cut, lasting } from './show.ts';

/** The writes in doubt of an entity and of what it needs first, each once, with the choices of an operator. */
export async function doubtsPart(context: PageContext, { flows }: Pick<Explanation, 'flows'>): Promise<Content> {
  const { store } = context.opened;
  const ids = [...new Set(flows.flatMap(({ doubts }) => doubts.map(({ id }) => id)))];
  const intents = (await Promise.all(ids.map((id) => store.doubts.get(id)))).filter((one) => one !== null);
  if (intents.length === 0) return null;
  const cards = intents.map(async (intent) => doubtCard(context, await doubtOf(store, intent)));
  return html`<h2>In doubt</h2><ul class="cards">${await Promise.all(cards)}</ul>`;
}

/** The choices with a write in doubt, where it is told in a row. The first two that were found can be taken. */
export function doubtActs(context: PageContext, doubt: Intent): Html {
  const { adopt, candidates } = choicesOf(doubt);
  const id = String(doubt.id);
  const ones = adopt ? candidates.slice(0, 2) : [];
  return html`${ones.map((one) => action(context, 'resolve', { id, said: 'adopt', adopt: one }, html`<button class="second">It is ${one}</button>`))}${action(context, 'resolve', { id, said: 'retry' }, html`<button class="second">None of them: send it again</button>`)}`;
}

/** A write in doubt: what was found, what was sent, and the choices of an operator. */
export async function doubtCard(context: PageContext, { intent, sent, found }: Doubt): Promise<Html> {
  const { candidates, adopt, makes, drop } = choicesOf(intent);
  const target = targetOf(intent);
  const beside = cut(await entityLabel(context.opened.store, target));
  const id = { id: String(intent.id) };
  const adopted = { ...id, said: 'adopt' };
  const another = candidates.length === 0 ? `It is the ${makes} with this id` : `Another ${makes}, by its id`;
  return html`<li class="card"><h3>${await entityNamed(context.opened.store, target)} ${beside} <small>${flowTitle(target.flow)}</small></h3>
<p class="facts">${intent.kind === target.flow ? null : html`<span>${flowTitle(intent.kind)}</span>`}<span>${lasting(intent.sentAtMs, context.nowMs)}</span></p>
${found.map((cause) => html`<p>${shownCause(cause).text}. ${stepOnScreen(shownCause(cause))}</p>`)}
${sent === null ? null : html`<p class="soft">${sent}</p>`}
<div class="actions">${
    adopt
      ? html`${candidates.map((one) => action(context, 'resolve', { ...adopted, adopt: one }, html`<button>It is ${makes} ${one}</button>`))}${action(
          context,
          'resolve',
          adopted,
          (refused) => html`${textField(refused, 'adopt', another, true)}<button class="second">Adopt it</button>`,
        )}`
      : null
  }${action(context, 'resolve', { ...id, said: 'retry' }, html`<button class="second">Nothing was applied: try again</button>`)}${
    drop ? action(context, 'resolve', { ...id, said: 'drop' }, html`<button class="second">Give it up</button>`) : null
  }</div></li>`;
}
