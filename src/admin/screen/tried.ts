import { awayInShop } from '../../domain/causes/in-shop.ts';
import { type Away, shopSideText } from '../../use/away.ts';
import type { Finding } from '../../use/doctor/finding.ts';
import type { Need } from '../../use/needs.ts';
import { type Tried, triedText } from '../../use/tried-sides.ts';
import { type Content, type Html, html } from './html.ts';
import { action, type PageContext } from './page.ts';
import { table } from './rows.ts';
import { ago, badge, type Tone, time, timed } from './show.ts';

/** The act on a side that is away: both sides are tried again. null: the need is another, or this person may not act. */
export function tryAgain(context: PageContext, { kind, example }: Pick<Need, 'kind' | 'example'>): Content {
  if (kind !== 'alert' || awayInShop(example.code) === null) return null;
  return action(context, 'try-sides', { account: context.account }, html`<button>Try both sides again</button>`);
}

/** A side that is away, in the words of a shop. */
export function sideShown(away: Away): Html {
  return html`${shopSideText(away)} since ${time(away.sinceMs)}`;
}

/** What was found is shown for so long. */
const SHOWN_MS = 15 * 60_000;
const TONES: Readonly<Record<Finding['level'], readonly [Tone, string]>> = {
  fail: ['bad', 'failed'],
  warn: ['wait', 'look at it'],
  ok: ['good', 'good'],
};
const LEVELS = Object.keys(TONES);

/** What was found when both sides were tried last, what failed first. Nothing some time later, or when a side has left since. */
export function triedPart({ opened, account, nowMs }: PageContext, away: Away | null): Content {
  const tried = opened.sides.last(account);
  if (tried === null || nowMs - tried.atMs > SHOWN_MS) return null;
  if (away !== null && away.sinceMs > tried.atMs) return null;
  const isOpen = away !== null && tried.findings.some(({ level }) => level === 'fail');
  return html`<details id="fold-tried" class="fold"${isOpen ? html` open` : null}><summary>Both sides were tried ${ago(tried.atMs, nowMs)} by ${tried.by}: ${triedText(tried)}</summary>${findings(tried)}</details>`;
}

function findings({ findings: all }: Tried): Html {
  const worstFirst = all.toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return table(
    'What was found',
    [
      { head: 'What', cell: ({ about }: Finding) => about },
      { head: 'How', cell: ({ level }) => badge(...TONES[level]) },
      {
        head: 'Found',
        cell: ({ text, mend }) => html`${timed(text)}${mend === null ? null : html` <b>${mend}</b>`}`,
      },
    ],
    worstFirst,
  );
}
