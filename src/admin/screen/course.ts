import { unitCountText } from '../../domain/figure-text.ts';
import type { CourseStep } from '../../domain/stock-course.ts';
import { accountsFor } from '../../use/accounts.ts';
import { stockCourse } from '../../use/explain/course.ts';
import type { Explanation } from '../../use/explain/explanation.ts';
import { address, type Content, type Html, html } from './html.ts';
import type { PageContext } from './page.ts';
import { table } from './rows.ts';
import { time, timedTitle } from './show.ts';

/* The stock of a product on both sides over time, as a picture with its figures as a table beside it. */

const WIDTH = 720;
const HEIGHT = 160;
/** The height of the strip below the lines, where the orders stand. */
const STRIP = 20;
const TOP = 8;
const GROUND = HEIGHT - STRIP;
/** The most marks, and the most rows of the table: the newest ones. The lines show more. */
const MARKS = 200;
const ROWS = 40;

/** The picture of a product's stock until the moment of the page; null where the records do not tell it. */
export async function coursePart({ opened, account, nowMs }: PageContext, told: Explanation): Promise<Content> {
  const { kind, erpId, isPast, at } = told;
  const [config] = accountsFor(opened.config, account);
  if (kind !== 'product' || erpId === null || config === undefined) return null;
  const context = { account, config, store: opened.store, now: () => nowMs };
  const steps = await stockCourse(context, erpId, isPast ? Date.parse(at) : nowMs, isPast);
  return steps === null || steps.every(({ by }) => by.kind === 'stands') ? null : course(opens(account, erpId), steps);
}

type Point = readonly [atMs: number, value: number | null];

function course(to: Opens, steps: readonly CourseStep[]): Html {
  const [first, last] = [steps[0]?.atMs ?? 0, steps.at(-1)?.atMs ?? 0];
  const spanMs = Math.max(1, last - first);
  const erp = steps.map(({ atMs, erp: value }): Point => [atMs, value?.toNumber() ?? null]);
  const buyers = steps.map(({ atMs, buyers: value }): Point => [atMs, value?.toNumber() ?? null]);
  const values = [...erp, ...buyers].flatMap(([, value]) => value ?? []);
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (atMs: number) => place((WIDTH * (atMs - first)) / spanMs);
  const y = (value: number) => place(GROUND - ((GROUND - TOP) * (value - least)) / (most - least));
  return html`<h2>The stock over time</h2><figure class="card course"><figcaption>
<p class="facts"><span><span class="mark sold" aria-hidden="true"></span> Buyers can take: ${said(buyers)}</span><span><span class="mark dashes" aria-hidden="true"></span> Available in the ERP: ${said(erp)}</span><span><span class="mark dot" aria-hidden="true"></span> a write of ours</span><span><span class="mark tick" aria-hidden="true"></span> an order</span></p></figcaption>
<p class="scale" aria-hidden="true">${most === 1 ? '1 unit' : `${most} units`}</p>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="course" aria-describedby="course-told"><title id="course">The stock on both sides over time</title><desc id="course-told">Buyers can take: ${said(buyers)}. Available in the ERP: ${said(erp)}.</desc><path class="rule" d="M0 ${y(0)}H${WIDTH}"/>
${runs(buyers).map((run) => html`<path class="area" d="${stair(run, x, y)}V${y(0)}H${x(run[0]?.[0] ?? 0)}Z"/>`)}<path class="edge" d="${runs(buyers).map((run) => stair(run, x, y))}"/><path class="edge dashed" d="${runs(erp).map((run) => stair(run, x, y))}"/>
${steps.slice(-MARKS).map((step) => markOf(to, step, x, y))}</svg>
<p class="scale"><span>${time(first)}</span><span>${time(last)}</span></p>
<details><summary>As a table</summary>${newest(steps.length)}${figures(to, steps.slice(-ROWS))}</details></figure>`;
}

/** Where not all changes are shown, how many are. */
function newest(count: number): Content {
  if (count <= ROWS) return null;
  const marks = count > MARKS ? `, and the picture marks the newest ${MARKS}` : '';
  return html`<p class="facts">The table shows the newest ${ROWS} changes${marks}.</p>`;
}

function said(points: readonly Point[]): string {
  const values = points.flatMap(([, value]) => value ?? []);
  const last = points.at(-1)?.[1] ?? null;
  if (last === null) return 'not known';
  return `${last}, between ${Math.min(...values)} and ${Math.max(...values)}`;
}

/** A figure holds until the next one: a stair. */
function stair(run: readonly Point[], x: (atMs: number) => string, y: (value: number) => string): string {
  return run
    .map(([atMs, value], at) => (at === 0 ? `M${x(atMs)} ${y(value ?? 0)}` : `H${x(atMs)}V${y(value ?? 0)}`))
    .join('');
}

/** Runs without a gap: a figure that is not known is not drawn. */
function runs(points: readonly Point[]): Point[][] {
  const found: Point[][] = [[]];
  for (const point of points) {
    if (point[1] !== null) found.at(-1)?.push(point);
    else if (found.at(-1)?.length !== 0) found.push([]);
  }
  return found.filter((run) => run.length > 0);
}

function place(value: number): string {
  return String(Math.round(10 * value) / 10);
}

/** The mark of a write is a dot on the line of the buyers; that of an order, a tick below the lines. A reading has none. */
function markOf(to: Opens, step: CourseStep, x: (atMs: number) => string, y: (value: number) => string): Content {
  const { atMs, by, buyers } = step;
  if (by.kind !== 'write' && by.kind !== 'order') return null;
  const [tone, drawn] =
    by.kind === 'write'
      ? ['dot', `M${x(atMs)} ${y(buyers?.toNumber() ?? 0)}h0`]
      : ['tick', `M${x(atMs)} ${GROUND + 5}V${HEIGHT - 2}`];
  return html`<g data-to="${to(step)}">${timedTitle(atMs, whatOf(step))}<path class="${tone}" d="${drawn}"/><path class="hit" d="${drawn}"/></g>`;
}

/** The page that a change opens: that of the order, or that of the product as it was right after the write. null: none. */
type Opens = (step: CourseStep) => string | null;

function opens(account: string, product: string): Opens {
  return ({ by, atMs }) => {
    if (by.kind === 'order') return address('entity', { account, key: by.order, kind: 'order' });
    if (by.kind !== 'write') return null;
    const at = new Date(1_000 * Math.ceil(atMs / 1_000)).toISOString().slice(0, 19);
    return address('entity', { account, key: product, kind: 'product', at });
  };
}

const EFFECTS = { reserved: 'reserves', consumed: 'has taken' } as const;

function whatOf({ by }: CourseStep): string {
  if (by.kind === 'reading') return 'the ERP shows another figure';
  if (by.kind === 'stands') return 'as it stood then';
  if (by.kind === 'write') return `written: ${by.value.toFixed()}`;
  const { order, before, after } = by;
  if (after !== null) return `order ${order} ${EFFECTS[after.effect]} ${unitCountText(after.quantity.toFixed())}`;
  return `order ${order} gives ${before === null ? 'its units' : unitCountText(before.quantity.toFixed())} back`;
}

function figures(to: Opens, steps: readonly CourseStep[]): Html {
  const what = (step: CourseStep): Content => {
    const page = to(step);
    return page === null ? whatOf(step) : html`<a href="${page}">${whatOf(step)}</a>`;
  };
  return table(
    'The stock on both sides over time',
    [
      { head: 'Time', cell: ({ atMs }) => time(atMs) },
      { head: 'What', cell: what },
      { head: 'Buyers can take', isFigure: true, cell: ({ buyers }) => buyers?.toFixed() ?? '–' },
      { head: 'ERP available', isFigure: true, cell: ({ erp }) => erp?.toFixed() ?? '–' },
    ],
    steps.toReversed(),
  );
}
