import { ageText } from '../../domain/age.ts';
import { TURNS } from '../../domain/causes/cause.ts';
import type { Turn } from '../../domain/causes/entry.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { amountText, groupedText, moneyText } from '../../domain/money-text.ts';
import { kindNamed } from '../../use/entity.ts';
import { FLOW_CHOICES, flowTitle } from '../../use/flow-titles.ts';
import { address, type Content, type Html, html } from './html.ts';

/* The small things that pages are made of. */

/** An instant in UTC. The script of the page shows it in the reader's time zone, with the offset. */
export function time(epochMs: number): Html {
  const iso = new Date(epochMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** An instant that the other side sent, in few characters: the script of the page shows the clock alone for one of today. */
export function briefTime(text: string): Content {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) return text;
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}" data-brief>${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** The words that a mark of a picture shows under the pointer, behind its time. The script of the page puts it in the reader's time zone. */
export function timedTitle(epochMs: number, text: string): Html {
  const iso = new Date(epochMs).toISOString();
  return html`<title data-at="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC: ${text}</title>`;
}

/** An instant that the other side sent. A text that is no instant is shown as it came. */
export function sentTime(text: string): Content {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? text : time(atMs);
}

const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MARKED = new RegExp(`(${INSTANT}|\\b${UUID}\\b)`, 'i');
const IS_UUID = new RegExp(`^${UUID}$`, 'i');
const SHORT = 8;

/** The beginning of a long number. The whole is shown to a pointer, and copied with the beginning. */
export function shortId(id: string): Content {
  if (!IS_UUID.test(id)) return id;
  return html`<span class="id" title="${id}">${id.slice(0, SHORT)}<span class="rest">${id.slice(SHORT)}</span></span>`;
}

/** A text with the instants in it as times, and with short numbers. */
export function timed(text: string | null): Content {
  return text
    ?.split(MARKED)
    .map((part, at) => (at % 2 === 0 ? part : IS_UUID.test(part) ? shortId(part) : sentTime(part)));
}

/** The value of a write before or after it. */
export function valueText(text: string | null): Content {
  return text === null ? null : timed(moneyText(text));
}

const LONGEST = 160;

/** The beginning of a side's text, for a row of a table. The entity's own page shows the whole text. */
export function cut(text: string | null): string | null {
  if (text === null || text.length <= LONGEST) return text;
  // Half of a surrogate pair at the end is left out.
  return `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function ago(epochMs: number, nowMs: number): Html {
  return html`<span class="nowrap">${ageText(Math.max(0, nowMs - epochMs))} ago</span>`;
}

/** How long something has lasted that began then. */
export function lasting(epochMs: number, nowMs: number): Html {
  return html`<span class="nowrap">for ${ageText(Math.max(0, nowMs - epochMs))}</span>`;
}

export function heldText(count: number): string {
  return `${count === 1 ? '1 entity is' : `${count} entities are`} held.`;
}

/** An amount in its currency, exact. */
export function money(amount: Decimal | null, currency: string | null): Content {
  if (amount === null) return html`<span class="none">–</span>`;
  return html`<span class="nowrap">${amountText(amount, currency)}${currency === null ? null : html` <small>${currency}</small>`}</span>`;
}

export function quantity(value: Decimal | null): Content {
  return value === null ? html`<span class="none">–</span>` : groupedText(value);
}

export type Tone = 'good' | 'wait' | 'bad' | 'quiet';

const SHAPES: Readonly<Record<Tone, string>> = { good: '●', wait: '◐', bad: '▲', quiet: '○' };

/** A state by its text and a shape. The colour only repeats the text. */
export function badge(tone: Tone, text: string | Html): Html {
  return html`<span class="badge ${tone}"><span aria-hidden="true">${SHAPES[tone]}</span> ${text}</span>`;
}

export function turnBadge(turn: Turn): Html {
  return badge(turn === 'nobody' ? 'quiet' : turn === 'operator' ? 'bad' : 'wait', TURNS[turn]);
}

interface Named {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
}

/** The key of records about all entities of a flow. */
const ALL = '*';

/** A link to the page of an entity. A record about no entity shows its name alone. */
export function entityLink({ account, flow, key }: Named, name: Content = shortId(key)): Content {
  if (key === ALL) return null;
  return kindNamed(flow) === undefined
    ? name
    : html`<a href="${address('entity', { account, flow, key })}">${name}</a>`;
}

export function guideLink(page: string, text: Content = 'What is this?'): Html {
  return html`<a href="guide/${page}">${text}</a>`;
}

/** A share of a whole, as a picture beside its figures. */
export function bar(part: number, whole: number): Html {
  const width = whole === 0 ? 0 : Math.min(100, (100 * part) / whole);
  return html`<svg class="plot" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="4" rx="2"/><rect class="part" width="${width.toFixed(1)}" height="4" rx="2"/></svg>`;
}

/** A choice of a form: the options, each with its text. */
export function select(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Html {
  const option = ([value, text]: readonly [string, string]) =>
    html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`;
  return html`<label>${label} <select name="${name}">${options.map(option)}</select></label>`;
}

/** A choice of a flow by its title. A name of another thing, which a link has chosen, stays one of the options. */
export function selectFlow(chosen: string): Html {
  const isKnown = chosen === '' || FLOW_CHOICES.some(([flow]) => flow === chosen);
  const other = isKnown ? [] : [[chosen, flowTitle(chosen)] as const];
  return select('flow', 'Flow', [['', 'all'], ...FLOW_CHOICES, ...other], chosen);
}
