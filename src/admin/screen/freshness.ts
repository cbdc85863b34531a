import { ageText } from '../../domain/age.ts';
import { counted } from '../../domain/counted.ts';
import { DAY_MS, type Gap, gapsOf, type Sample } from '../../domain/day.ts';
import { listName } from '../../domain/lists.ts';
import type { AccountStatus } from '../../use/status.ts';
import { type Content, type Html, html } from './html.ts';
import { table } from './rows.ts';
import { ago, badge, time } from './show.ts';

/* How fresh each list is: its age, and the last day as a strip in which a gap of reading is seen, with the gaps as a table. */

type Read = AccountStatus['reads'][number];

/** The width of a day. */
const WIDTH = 288;
const HEIGHT = 12;
/** A late list is a low bar, and where nothing ran there is none. */
const LOW = 4;
/** The narrowest gap that can still be seen. */
const NARROWEST = 3;
/** The most gaps of a list that the table names: the newest ones. */
const NAMED = 5;

/** A strip for each list, or for those that are named. */
export function freshStrip(
  reads: readonly Read[],
  day: readonly Sample[],
  nowMs: number,
  lists: readonly string[] = reads.map(({ collection }) => collection),
): Content {
  const shown = reads.filter(({ collection }) => lists.includes(collection));
  if (shown.length === 0) return null;
  return html`<section class="fresh" aria-label="How fresh each list is"><h2 class="hidden">How fresh it is</h2><ul class="plain">${shown.map((read) => cell(read, day, nowMs))}</ul></section>`;
}

function cell(read: Read, day: readonly Sample[], nowMs: number): Html {
  const { collection, ageMs, late, holes } = read;
  const isBehind = late || holes > 0 || ageMs === null;
  const age = ageMs === null ? 'never read' : `${ageText(ageMs)} ago`;
  const how = holes > 0 ? counted(holes, 'hole') : 'late';
  const told = isBehind
    ? badge('wait', ageMs === null ? age : `${how}, ${age}`)
    : html`<span class="soft nowrap">${age}</span>`;
  return html`<li><span>${listName(collection)} ${told}</span>${strip(collection, day, nowMs)}</li>`;
}

/** The last day of a list: a full bar where it was read in time. null: nothing is on record. */
function strip(list: string, day: readonly Sample[], nowMs: number): Content {
  const found = gapsOf(day, list, nowMs);
  if (found === null) return null;
  const { sinceMs, gaps } = found;
  const x = (atMs: number) => Math.max(0, Math.min(WIDTH, WIDTH - (WIDTH * (nowMs - atMs)) / DAY_MS));
  const box = (gap: Gap, top: number) => {
    const width = Math.max(NARROWEST, x(gap.toMs) - x(gap.fromMs));
    return `M${place(Math.min(x(gap.fromMs), WIDTH - width))} ${top}h${place(width)}V${HEIGHT}h${place(-width)}Z`;
  };
  const late = gaps.filter(({ why }) => why === 'late');
  const start = x(sinceMs);
  return html`<svg class="plot strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${listName(list)}, the last day: ${gapsText(gaps)}"><path class="read" d="M${place(start)} 0H${WIDTH}V${HEIGHT}H${place(start)}Z"/><path class="gap" d="${gaps.map((gap) => box(gap, 0)).join('')}"/><path class="late" d="${late.map((gap) => box(gap, HEIGHT - LOW)).join('')}"/><path class="ground" d="M0 ${HEIGHT - 0.5}H${WIDTH}"/></svg>`;
}

function place(value: number): string {
  return String(Math.round(10 * value) / 10);
}

function gapsText(gaps: readonly Gap[]): string {
  if (gaps.length === 0) return 'no gap';
  const longest = Math.max(...gaps.map(({ fromMs, toMs }) => toMs - fromMs));
  return `${counted(gaps.length, 'gap')}, the longest of ${ageText(longest)}`;
}

/** The same as a table, with the expected interval of each list and the gaps of its last day. */
export function freshness(reads: readonly Read[], day: readonly Sample[], nowMs: number): Html {
  return html`<p class="facts"><span>A strip is the last 24 hours, the present at its right end.</span><span>Full: read in time.</span><span>Low: late.</span><span>Empty: nothing ran, or nothing is on record.</span></p>${table(
    'How fresh each list is, and its gaps',
    [
      { head: 'List', cell: ({ collection }) => listName(collection) },
      {
        head: 'Read',
        cell: ({ ageMs }) =>
          ageMs === null ? 'never' : html`${ago(nowMs - ageMs, nowMs)} <small>at ${time(nowMs - ageMs)}</small>`,
      },
      { head: 'Expected', cell: ({ everyMs }) => `every ${ageText(everyMs)}` },
      {
        head: 'State',
        cell: ({ late, holes }) =>
          html`${late ? badge('wait', 'late') : badge('good', 'in time')}${holes === 0 ? null : html` ${badge('wait', counted(holes, 'hole'))}`}`,
      },
      { head: 'Gaps of the last day', cell: ({ collection }) => gapList(gapsOf(day, collection, nowMs)) },
    ],
    reads,
  )}`;
}

function gapList(found: ReturnType<typeof gapsOf>): Content {
  if (found === null) return html`<span class="none">not on record yet</span>`;
  const { sinceMs, gaps } = found;
  if (gaps.length === 0) return html`none <small>since ${time(sinceMs)}</small>`;
  const rows = gaps
    .slice(-NAMED)
    .toReversed()
    .map(
      (gap) =>
        html`<li>${time(gap.fromMs)} to ${time(gap.toMs)}: ${ageText(gap.toMs - gap.fromMs)} <small>${whyOf(gap)}</small></li>`,
    );
  const more = gaps.length - NAMED;
  return html`<ul class="plain">${rows}</ul>${more > 0 && html`<small>and ${more} earlier</small>`}`;
}

function whyOf({ why, ageMs }: Gap): string {
  if (why === 'stopped') return 'nothing ran';
  return ageMs === null ? 'never read' : `the last read was up to ${ageText(ageMs)} old`;
}
