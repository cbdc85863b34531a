import type { MappingKind } from '../../use/mapping/ids.ts';
import { html } from './html.ts';
import type { Question } from './page.ts';

/* The questions before acts that change much. */

export interface Pair {
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string;
}

export const pairText = ({ kind, marketplaceId, erpId }: Pair) =>
  `${kind === 'product' ? 'Listing' : `Marketplace ${kind}`} ${marketplaceId} and ERP ${kind} ${erpId}`;

export function linkQuestion(pair: Pair, doubts: readonly string[]): Question {
  return {
    question: `${pairText(pair)}: link them all the same?`,
    told: html`<p class="lede">Something speaks against it:</p><ul>${doubts.map((one) => html`<li>${one}</li>`)}</ul>`,
    yes: 'Link them all the same',
  };
}

export function doubtQuestion(form: { readonly said: 'adopt' | 'retry' | 'drop'; readonly adopt?: string }): Question {
  const [question, told, yes] = {
    adopt: [`Is it ${form.adopt}?`, 'It is linked as what was made, and nothing is sent.', `Yes, it is ${form.adopt}`],
    retry: [
      'Was nothing applied?',
      'It is sent again. If it was applied after all, it is there twice then.',
      'Nothing was applied: send it again',
    ],
    drop: ['Give it up?', 'Nothing is sent until it changes. It can still be sent again later.', 'Give it up'],
  }[form.said] as [string, string, string];
  return { question, told: html`<p class="lede">${told}</p>`, yes };
}

/** Asks before a listing is shown to buyers again. */
export const BRING_BACK: Question = {
  question: 'Bring the listing back?',
  told: html`<p class="lede">Buyers can order it again, with the price and the stock of the ERP.</p>`,
  yes: 'Bring it back',
};
