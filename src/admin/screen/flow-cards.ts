import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { targetInShop } from '../../domain/target-text.ts';
import { actionTitle } from '../../use/action-titles.ts';
import { shopSentence } from '../../use/explain/answer.ts';
import type { Explanation, FlowNow } from '../../use/explain/explanation.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { casePart } from './case-acts.ts';
import { type Content, type Html, html } from './html.ts';
import { action, type PageContext } from './page.ts';
import { badge, guideLink, type Tone, timed, turnBadge, valueText } from './show.ts';

/* The flows of an entity: what each would write now, and why it does not. */

/** null: no flow has anything to write or to tell. */
export async function writesPart(context: PageContext, told: Explanation): Promise<Content> {
  const flows = told.flows.filter((flow) => !isQuiet(flow));
  if (flows.length === 0) return null;
  const cards = await Promise.all(flows.map((flow) => flowCard(context, told, flow)));
  return html`<h2>Writes due now</h2><ul class="cards">${cards}</ul>`;
}

/** A flow with nothing to write, and nothing that a person has to know. */
const isQuiet = ({ writes, holds, alerts, job }: FlowNow) =>
  writes.length + holds.length + alerts.length === 0 && job === null;

const TONES: Readonly<Record<FlowNow['state'], Tone>> = {
  'in-step': 'good',
  'to-write': 'quiet',
  held: 'wait',
  failed: 'bad',
  'in-doubt': 'bad',
};

/** A reason that the answer has told already is not told again. */
async function flowCard(
  context: PageContext,
  told: Explanation,
  { flow, key, state, writes, holds, alerts, job }: FlowNow,
): Promise<Html> {
  const causes = [...holds, ...alerts].map(async (cause) => ({
    cause,
    part: await casePart(context, cause, { flow, key }),
  }));
  return html`<li class="card"><h3>${flowTitle(flow)} ${badge(TONES[state], state.replace('-', ' '))}</h3>
${writes.map(({ action: what, target, before, after, why, stoppedBy }) => html`<p>${actionTitle(what)} <small>${targetInShop(target)}</small> ${before === null ? null : html`<del>${valueText(before)}</del> `}<ins>${valueText(after ?? '–')}</ins> <small>${timed(why)}</small>${stoppedBy === null ? null : html` ${badge('wait', shopSentence(told, stoppedBy))}`}</p>`)}
${(await Promise.all(causes)).map(({ cause, part }) => html`<p>${turnBadge(cause.turn)} ${told.parts.why.includes(shopSentence(told, cause)) ? null : html`${timed(shopSentence(told, cause))}. ${timed(stepOnScreen(cause))} `}${guideLink(cause.page)}</p>${part}`)}
${writes.length + holds.length + alerts.length === 0 ? html`<p class="soft">Nothing.</p>` : null}
${job === null ? null : action(context, 'replay', { account: context.account, job: String(job) }, html`<button>Replay</button>`)}</li>`;
}
