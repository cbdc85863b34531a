import { ageText } from '../../domain/age.ts';
import { DAY_MS, SAMPLE_MS, type Sample } from '../../domain/day.ts';
import { type Content, type Html, html } from './html.ts';
import { table } from './rows.ts';
import { time } from './show.ts';

/* The last day as pictures: drawn here, coloured by the stylesheet, each with its figures as a table beside it. */

/** One line, area or row of bars of a picture. */
interface Series {
  readonly name: string;
  /** null: the value is not known. */
  readonly value: (sample: Sample) => number | null;
  readonly kind: 'area' | 'line' | 'bars' | 'bars below';
}

interface Plot {
  readonly id: string;
  readonly title: string;
  readonly series: readonly Series[];
  /** The value at the full height; the highest value of the day when left out. */
  readonly top?: number;
  readonly text: (value: number) => string;
  /** How the samples of an hour become one figure of the table. */
  readonly hour: 'highest' | 'sum' | 'last';
}

const percent = (value: number) => `${Math.round(100 * value)} %`;
const count = (value: number) => String(value);

const PLOTS: readonly Plot[] = [
  {
    id: 'quota',
    title: 'Quota used',
    series: [{ name: 'Share of the calls of a minute', kind: 'area', value: ({ quota }) => quota }],
    top: 1,
    text: percent,
    hour: 'highest',
  },
  {
    id: 'orders',
    title: 'Orders in and out',
    series: [
      { name: 'Into the ERP', kind: 'bars', value: ({ ordersIn }) => ordersIn },
      { name: 'Told to the marketplace', kind: 'bars below', value: ({ ordersOut }) => ordersOut },
    ],
    text: count,
    hour: 'sum',
  },
  {
    id: 'lag',
    title: 'Lag',
    series: [
      { name: 'Oldest change that waited', kind: 'area', value: ({ waitedMs }) => waitedMs },
      { name: 'Latest list, beyond its time', kind: 'line', value: ({ lateMs }) => lateMs },
    ],
    text: ageText,
    hour: 'highest',
  },
  {
    id: 'loss',
    title: 'Webhook loss',
    series: [
      { name: 'Share of changes that no webhook told of', kind: 'area', value: ({ webhookLoss }) => webhookLoss },
    ],
    top: 1,
    text: percent,
    hour: 'last',
  },
  {
    id: 'drift',
    title: 'Drift',
    series: [{ name: 'Listings with other figures than expected', kind: 'bars', value: ({ drift }) => drift }],
    text: count,
    hour: 'sum',
  },
];

/** Every picture of a day that ends at `nowMs`. */
export function plots(day: readonly Sample[], nowMs: number): Html {
  if (day.length === 0)
    return html`<p class="soft">No figure is on record yet. One is taken every minute while it runs.</p>`;
  return html`<div class="grid plots">${PLOTS.map((plot) => picture(plot, day, nowMs))}</div>`;
}

const HOUR_MS = 60 * 60_000;
/** A day that has only begun is drawn by the hours that it has. */
const SPANS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS];

function spanOf(day: readonly Sample[], nowMs: number): number {
  return SPANS_MS.find((spanMs) => nowMs - first(day) <= spanMs) ?? DAY_MS;
}

const WIDTH = 288;
const HEIGHT = 64;

function picture(plot: Plot, day: readonly Sample[], nowMs: number): Html {
  const { id, title, series, text } = plot;
  const all = series.flatMap(({ value }) => day.flatMap((sample) => value(sample) ?? []));
  if (all.length === 0)
    return html`<section class="card"><h3>${title}</h3><p class="soft">Nothing to show.</p></section>`;
  const top = plot.top ?? Math.max(1, ...all);
  const isTwoSided = series.some(({ kind }) => kind === 'bars below');
  const ground = isTwoSided ? HEIGHT / 2 : HEIGHT;
  const spanMs = spanOf(day, nowMs);
  const scale: Scale = {
    x: (atMs) => Math.max(0, Math.min(WIDTH, (WIDTH * (atMs - (nowMs - spanMs))) / spanMs)),
    bar: (WIDTH * SAMPLE_MS) / spanMs,
    height: (value) => (ground * Math.min(value, top)) / top,
    ground,
  };
  return html`<figure class="card"><figcaption><h3>${title}</h3>${series.map((one) => legend(one, plot, day, series.length > 1))}</figcaption>
<p class="scale" aria-hidden="true">${text(top)}${plot.hour === 'sum' ? ' in five minutes' : null}</p>
<svg class="plot day" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="plot-${id}" aria-describedby="plot-${id}-told"><title id="plot-${id}">${title}, the last day</title><desc id="plot-${id}-told">${series.map((one) => `${one.name}: ${said(one, plot, day)}. `)}</desc>${
    isTwoSided
      ? html`<path class="rule" d="M0 ${ground}H${WIDTH}"/>`
      : html`<path class="rule" d="M0 .5H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}"/>`
  }${series.map((one, at) => drawn(one, at, day, scale))}</svg>
<p class="scale" aria-hidden="true"><span>${spanMs / HOUR_MS} h ago</span><span>now</span></p>
<details id="fold-${id}"><summary>As a table</summary>${hours(plot, day)}</details></figure>`;
}

/** The name of a series with what it shows, in words. */
function legend(series: Series, plot: Plot, day: readonly Sample[], isOneOfMany: boolean): Html {
  const mark = isOneOfMany ? html`<span class="mark ${series.kind}" aria-hidden="true"></span> ` : null;
  return html`<p class="facts"><span>${mark}${series.name}: ${said(series, plot, day)}</span></p>`;
}

function said({ value, kind }: Series, { text }: Plot, day: readonly Sample[]): string {
  const values = day.flatMap((sample) => value(sample) ?? []);
  if (values.length === 0) return 'not known';
  if (kind.startsWith('bars')) return `${text(values.reduce((sum, one) => sum + one, 0))} in a day`;
  return `last ${text(values.at(-1) ?? 0)}, peak ${text(Math.max(...values))}`;
}

interface Scale {
  readonly x: (atMs: number) => number;
  /** The width of five minutes. */
  readonly bar: number;
  readonly height: (value: number) => number;
  /** Where zero is, from the top. */
  readonly ground: number;
}

function drawn({ value, kind }: Series, at: number, day: readonly Sample[], scale: Scale): Content {
  const tone = at === 0 ? 'first' : 'second';
  if (kind === 'bars' || kind === 'bars below')
    return html`<path class="bars ${tone}" d="${bars(day, value, scale, kind === 'bars' ? -1 : 1)}"/>`;
  const runs = unbroken(day, value);
  const edge = runs.map((run) => line(run, value, scale)).join('');
  const area = runs.map((run) => `${line(run, value, scale)}V${scale.ground}H${place(scale.x(first(run)))}Z`).join('');
  return html`${kind === 'area' ? html`<path class="area ${tone}" d="${area}"/>` : null}<path class="edge ${tone}" d="${edge}"/>`;
}

/** One bar for each sample that counted anything, upwards (-1) or downwards (1) from the ground. */
function bars(day: readonly Sample[], value: Series['value'], { x, bar, height, ground }: Scale, way: -1 | 1): string {
  return day
    .filter((sample) => (value(sample) ?? 0) > 0)
    .map(
      (sample) =>
        `M${place(x(sample.atMs))} ${ground}v${place(way * height(value(sample) ?? 0))}h${place(bar)}V${ground}Z`,
    )
    .join('');
}

/** Each sample lasts five minutes: a step. */
function line(run: readonly Sample[], value: Series['value'], { x, height, ground }: Scale): string {
  const steps = run.map(
    (sample) => `V${place(ground - height(value(sample) ?? 0))}H${place(x(sample.atMs + SAMPLE_MS))}`,
  );
  const [start] = run;
  return start === undefined
    ? ''
    : `M${place(x(start.atMs))} ${place(ground - height(value(start) ?? 0))}${steps.join('')}`;
}

/** Runs without a gap: what is not known is not drawn. */
function unbroken(day: readonly Sample[], value: Series['value']): Sample[][] {
  const runs: Sample[][] = [];
  let before: Sample | null = null;
  for (const sample of day) {
    if (value(sample) === null) continue;
    if (before !== null && sample.atMs - before.atMs === SAMPLE_MS) runs.at(-1)?.push(sample);
    else runs.push([sample]);
    before = sample;
  }
  return runs;
}

function first(run: readonly Sample[]): number {
  return run[0]?.atMs ?? 0;
}

function place(value: number): string {
  return String(Math.round(10 * value) / 10);
}

function hours(plot: Plot, day: readonly Sample[]): Html {
  const rows = [...Map.groupBy(day, ({ atMs }) => Math.floor(atMs / HOUR_MS) * HOUR_MS)].toReversed();
  const figure = ({ value }: Series, samples: readonly Sample[]): string => {
    const values = samples.flatMap((sample) => value(sample) ?? []);
    const last = values.at(-1);
    if (last === undefined) return '–';
    if (plot.hour === 'last') return plot.text(last);
    return plot.text(plot.hour === 'sum' ? values.reduce((sum, one) => sum + one, 0) : Math.max(...values));
  };
  return table(
    `${plot.title}, by hour`,
    [
      { head: 'Hour from', cell: ([atMs]) => time(atMs) },
      ...plot.series.map((one) => ({
        head: one.name,
        isFigure: true as const,
        cell: ([, samples]: (typeof rows)[number]) => figure(one, samples),
      })),
    ],
    rows,
  );
}
