import { counted } from '../../domain/counted.ts';
import { targetInShop } from '../../domain/target-text.ts';
import type { Intent } from '../../store/intents.ts';
import { actionTitle } from '../../use/action-titles.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import type { MappingKind } from '../../use/mapping/ids.ts';
import type { BeforeResume } from '../../use/pauses.ts';
import type { Approvable } from '../../use/plans/plans.ts';
import type { StoredPlan } from '../../use/plans/stored.ts';
import { type Html, html } from './html.ts';
import type { Question } from './page.ts';
import { entityLink, shortId, valueText } from './show.ts';

/* The questions before acts that change much. */

export interface Pair {
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string;
}

export const pairText = ({ kind, marketplaceId, erpId }: Pair) =>
  `${kind === 'product' ? 'Listing' : `Marketplace ${kind}`} ${marketplaceId} and ERP ${kind} ${erpId}`;

/** @param replaced the links that would be taken away */
export function linkQuestion(pair: Pair, doubts: readonly string[], replaced: readonly Pair[]): Question {
  const told = html`<ul>${doubts.map((one) => html`<li>${one}.</li>`)}</ul>`;
  if (replaced.length === 0) {
    return {
      question: `${pairText(pair)}: link them all the same?`,
      told: html`<p class="lede">Something speaks against it:</p>${told}`,
      yes: 'Link them all the same',
    };
  }
  const [from] = replaced;
  const isOne = replaced.length === 1 && from?.erpId === pair.erpId;
  return {
    question: isOne
      ? `Move the link of ERP ${pair.kind} ${pair.erpId} to ${halfText(pair)}?`
      : `${pairText(pair)}: link them in place of what they are linked to?`,
    told: html`${told}<p>It can be undone as long as nothing was written because of it.</p>`,
    yes: isOne ? 'Move the link' : 'Link them instead',
  };
}

const halfText = ({ kind, marketplaceId }: Pair) =>
  `${kind === 'product' ? 'listing' : `marketplace ${kind}`} ${marketplaceId}`;

export function pairsQuestion(pairs: readonly string[]): Question {
  const [them, all] = pairs.length === 1 ? ['it', 'the pair'] : ['them', `the ${pairs.length} pairs`];
  return {
    question: `Link ${all}?`,
    told: html`<p class="lede">Both sides are read first. A pair that something speaks against is not linked, and is named.</p><ul>${pairs.map((one) => html`<li>${one}</li>`)}</ul>`,
    yes: `Link ${them}`,
  };
}

export function separateQuestion(pair: Pair): Question {
  return {
    question: `${pairText(pair)}: unlink them?`,
    told: html`<p class="lede">Nothing is deleted. Both sides are looked at afresh, as if they had never been linked: what is missing on one of them may be made anew there. They can be linked again by one press; what was made anew meanwhile stays.</p>`,
    yes: 'Unlink them',
  };
}

/** How many of each there are. */
function counts(rows: readonly (readonly [name: string, count: number])[]): Html {
  const shown = rows.map(([name, count]) => html`<li>${name} <b>${count}</b></li>`);
  return html`<div class="grid"><section class="card"><ul class="plain counts">${shown}</ul></section></div>`;
}

/** The question before a pause ends. */
export function resumeQuestion(flow: string, { lifted, held, stillPaused }: BeforeResume): Question {
  const name = flowTitle(flow);
  const count = held.reduce((total, one) => total + one.count, 0);
  const waits = held.map((one) => [flowTitle(one.flow), one.count] as const);
  return {
    question: `Go on with ${name}?`,
    told: html`<p class="lede">${count === 0 ? 'Nothing is held for it now.' : `${counted(count, 'thing')} that ${count === 1 ? 'is' : 'are'} held for it ${count === 1 ? 'is' : 'are'} looked at again.`} What is due is written to both sides, which cannot be taken back here.</p>
<ul>${lifted.map((one) => html`<li>${flowTitle(one.flow)}, paused because: ${one.reason}</li>`)}</ul>${waits.length === 0 ? null : counts(waits)}
${stillPaused === null ? null : html`<p>Everything stays paused all the same: ${stillPaused}</p>`}`,
    yes: `Go on with ${name}`,
  };
}

/**
 * The question before a plan is approved. Nothing is written before it is applied as well.
 * @param approvable what is approved, without the items that are left out
 */
export function planApprovalQuestion(
  { id, hash }: StoredPlan,
  { writes, links, actions, zeroed, priceMoves }: Approvable,
  left: readonly string[],
): Question {
  const rows = Object.entries(actions).toSorted(([, a], [, b]) => b - a);
  const named = rows.map(([kind, count]) => [actionTitle(kind), count] as const);
  const zero = zeroed === 0 ? [] : [['stock figures that become zero', zeroed] as const];
  const moves = priceMoves.map(
    ({ target, before, after, percent }) =>
      html`<li><span>${targetInShop(target)} <small>${valueText(before)} → ${valueText(after)}</small></span> <b>${percent} %</b></li>`,
  );
  return {
    question: `Approve ${left.length === 0 ? 'the ' : ''}${counted(writes + links, 'change')} of plan ${id}?`,
    told: html`<p class="lede">They are approved exactly as shown, under the mark ${hash}. Nothing is written before the plan is applied as well.</p>
${counts([...named, ...zero])}${moves.length === 0 ? null : html`<h2>Prices that move furthest</h2><ul class="plain counts">${moves}</ul>`}${left.length === 0 ? null : html`<h2>Left out</h2><ul class="plain">${left.map((name) => html`<li>${leftOut(name)}</li>`)}</ul>`}`,
    yes: `Approve plan ${id}`,
  };
}

/** An item of a plan by its name. */
function leftOut(name: string): Html {
  const at = name.indexOf('/');
  return html`${shortId(name.slice(at + 1))} <small>${flowTitle(name.slice(0, at))}</small>`;
}

/** The question before an approved plan is written. */
export function applyQuestion(
  { id, liftsPauses }: StoredPlan,
  { writes, links, stopped, actions }: Approvable,
): Question {
  const rows = Object.entries(actions).toSorted(([, a], [, b]) => b - a);
  return {
    question: `Write the ${counted(writes + links, 'change')} of plan ${id}?`,
    told: html`<p class="lede">Each is written as it was shown, if it still holds. What was written cannot be taken back here: only another write changes it.</p>
${counts(rows.map(([kind, count]) => [actionTitle(kind), count]))}
${stopped === 0 ? null : html`<p>${stopped} of them ${stopped === 1 ? 'is stopped by a pause, a brake or a hold, and stays' : 'are stopped by a pause, a brake or a hold, and stay'} so.</p>`}${liftsPauses ? html`<p>No pause stops the others: the plan was made as if nothing were paused.</p>` : null}`,
    yes: `Apply plan ${id}`,
  };
}

export function doubtQuestion(
  form: { readonly said: 'adopt' | 'retry' | 'drop'; readonly adopt?: string },
  doubt: Pick<Intent, 'account' | 'kind' | 'key'> | null,
): Question {
  const [question, told, yes] = {
    adopt: [`Is it ${form.adopt}?`, 'It is linked as what was made, and nothing is sent.', `Yes, it is ${form.adopt}`],
    retry: [
      'Was nothing applied?',
      'It is sent again. If it was applied after all, it is there twice then.',
      'Nothing was applied: send it again',
    ],
    drop: ['Give it up?', 'Nothing is sent until it changes. It can still be sent again later.', 'Give it up'],
  }[form.said] as [string, string, string];
  const about = doubt && html`It is about ${entityLink({ ...doubt, flow: doubt.kind })}. `;
  return { question, told: html`<p class="lede">${about}${told}</p>`, yes };
}

/** Asks before listings are shown to buyers again. */
export function bringBackQuestion(count: number): Question {
  const [it, its] = count === 1 ? ['it', 'the listing'] : ['them', `${count} listings`];
  return {
    question: `Bring ${its} back?`,
    told: html`<p class="lede">Buyers can order ${it} again, with the price and the stock of the ERP.</p>`,
    yes: `Bring ${it} back`,
  };
}
