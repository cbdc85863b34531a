import { accountsFor } from '../../use/accounts.ts';
import type { Explanation } from '../../use/explain/explanation.ts';
import { type LifeStep, lifeOf } from '../../use/explain/life.ts';
import { type Content, type Html, html } from './html.ts';
import type { PageContext } from './page.ts';
import { table } from './rows.ts';
import { time, timedTitle } from './show.ts';

/* The life of an order: a line for each side with its statuses, and our writes as arrows between them. */

const WIDTH = 360;
const ROW = 30;
/** Below the names of the sides. */
const HEAD = 40;
const LINES = { marketplace: 120, erp: 240 } as const;
const NAMES = { marketplace: 'Marketplace', erp: 'ERP' } as const;
const SIDES = ['marketplace', 'erp'] as const;
/** The most steps in the picture and in the table: the newest ones. */
const MOST = 24;
const MOST_ROWS = 100;
/** The room beside a line. */
const LONGEST = 15;

/** The life of an order until the moment of the page; null where the record has no status of it. */
export async function lifePart({ opened, account, nowMs }: PageContext, told: Explanation): Promise<Content> {
  const { isPast, at } = told;
  const [config] = accountsFor(opened.config, account);
  if (told.kind !== 'order' || config === undefined) return null;
  const context = { account, config, store: opened.store, now: () => nowMs };
  const steps = await lifeOf(context, told, isPast ? Date.parse(at) : nowMs);
  return steps.some(({ kind }) => kind === 'status') ? life(steps) : null;
}

function life(steps: readonly LifeStep[]): Html {
  const drawn = steps.slice(-MOST);
  const left = steps.length - drawn.length;
  const height = HEAD + ROW * drawn.length;
  return html`<h2>Its life</h2><figure class="card life">
<svg class="plot" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="life" aria-describedby="life-told"><title id="life">The statuses of the order on both sides</title><desc id="life-told">${SIDES.map((side) => `${NAMES[side]}: ${statuses(steps, side)}. `)}</desc>
${SIDES.map((side) => line(drawn, side, height))}${drawn.map((step, at) => row(step, HEAD + ROW * at))}</svg>
${left === 0 ? null : html`<p class="facts">The picture shows the newest ${MOST} steps. The table shows earlier ones.</p>`}
<details><summary>As a table</summary>${rows(steps.slice(-MOST_ROWS))}</details></figure>`;
}

function statuses(steps: readonly LifeStep[], side: LifeStep['side']): string {
  const found = steps.flatMap((step) => (step.kind === 'status' && step.side === side ? (step.after ?? 'gone') : []));
  return found.length === 0 ? 'none' : found.join(', ');
}

/** The line of a side begins with its first status. */
function line(steps: readonly LifeStep[], side: LifeStep['side'], height: number): Content {
  const begin = steps.findIndex((step) => step.kind === 'status' && step.side === side);
  const x = LINES[side];
  const named = html`<text class="name" x="${x}" y="16">${NAMES[side]}</text>`;
  if (begin === -1) return named;
  return html`${named}<path class="edge${side === 'erp' ? ' dashed' : ''}" d="M${x} ${HEAD + ROW * begin}V${height}"/>`;
}

function row(step: LifeStep, y: number): Content {
  const { atMs, side } = step;
  const x = LINES[side];
  const title = timedTitle(atMs, whatOf(step));
  if (step.kind === 'status') {
    const text = step.after ?? 'gone';
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
    const label = html`<text class="${side}" x="${side === 'erp' ? x + 12 : x - 12}" y="${y + 4}">${shown}</text>`;
    return html`<g>${title}<path class="dot" d="M${x} ${y}h0"/>${label}<text class="at" x="${WIDTH / 2}" y="${y + 4}" data-short="${new Date(atMs).toISOString()}">${shortTime(atMs)}</text></g>`;
  }
  const [from, to, head] = side === 'erp' ? [128, 232, -6] : [232, 128, 6];
  return html`<g>${title}<path class="arrow" d="M${from} ${y + 5}H${to}m${head} -4l${-head} 4l${head} 4"/><text class="at" x="${WIDTH / 2}" y="${y}">${verbOf(step)}${SIGNS[step.outcome]}</text></g>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `22 Nov 09:00`, in UTC. The script of the page shows it in the reader's time zone. */
function shortTime(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.toISOString().slice(11, 16)}`;
}

/** A write that was refused, and one whose answer was lost. */
const SIGNS = { written: '', refused: ' ✗', unknown: ' ?' } as const;

/** `create order`, of the action `order-in.create`. */
function verbOf({ action }: Extract<LifeStep, { kind: 'write' }>): string {
  const [flow = '', verb = ''] = action.split('.');
  return `${verb} ${flow.replace(/-(in|out)$/, '')}`;
}

function whatOf(step: LifeStep): string {
  if (step.kind === 'write') return `a write to the ${NAMES[step.side]}: ${verbOf(step)}, ${step.outcome}`;
  return `the ${NAMES[step.side]} shows ${step.after ?? 'it no more'}`;
}

function rows(steps: readonly LifeStep[]): Html {
  const status = (side: LifeStep['side']) => (step: LifeStep) =>
    step.kind === 'status' && step.side === side ? (step.after ?? 'gone') : null;
  return table(
    'The statuses of the order on both sides',
    [
      { head: 'Time', cell: ({ atMs }) => time(atMs) },
      { head: 'Marketplace', cell: status('marketplace') },
      { head: 'ERP', cell: status('erp') },
      {
        head: 'Write',
        cell: (step) => (step.kind === 'write' ? `to the ${NAMES[step.side]}: ${verbOf(step)}, ${step.outcome}` : null),
      },
    ],
    steps.toReversed(),
  );
}
