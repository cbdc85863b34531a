import { z } from 'zod';
import { actionTitle, targetText } from '../../use/action-titles.ts';
import { idsNamed } from '../../use/entity.ts';
import { flowTitle } from '../../use/flow-titles.ts';
import { type Entry, latestOf } from '../../use/journal.ts';
import { entityNames } from './entity-names.ts';
import { address, type Content, type Html, html } from './html.ts';
import { page } from './page.ts';
import { table } from './rows.ts';
import { badge, cut, selectFlow, time, timed, valueText } from './show.ts';

const SHOWN = 40;
const TONES = {
  written: 'good',
  noted: 'quiet',
  'dry-run': 'quiet',
  sent: 'wait',
  refused: 'bad',
  unknown: 'bad',
} as const;

/** The journal, newest first. The page updates itself. */
export const ACTIVITY = page({
  path: '/activity',
  section: 'activity',
  query: z.object({
    flow: z.string().max(40).default(''),
    key: z.string().max(300).default(''),
    before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  async show({ opened, account }, { flow, key, before }) {
    const choice = {
      accounts: [account],
      flow: flow === '' ? undefined : flow,
      keys: key === '' ? undefined : await idsNamed(opened.store, [account], key),
    };
    const { entries, more } = await latestOf(opened.store, choice, SHOWN, before ?? null);
    const [oldest] = entries;
    const older = more && oldest && address('activity', { account, flow, key, before: String(oldest.id) });
    const body = html`<h1>Activity</h1><p class="lede">Writes, links, notes and alerts, newest first. <button type="button" class="second" data-pause hidden>Pause</button></p>
<form class="filters" method="get" action="activity"><input type="hidden" name="account" value="${account}">${selectFlow(flow)}<label>SKU, number or id <input name="key" value="${key}" maxlength="300"></label><button>Show</button></form>
<div id="live"${before === undefined ? html` data-live` : null}>${timeLine(entries)}${activityTable(entries, await entityNames(opened.store, entries))}</div>${older && html`<p class="pages"><a class="button second" rel="next" href="${older}">Older</a></p>`}`;
    return { title: 'Activity', body };
  },
});

function activityTable(entries: readonly Entry[], nameOf: (row: Entry) => Content): Html {
  return table(
    'Activity',
    [
      { head: 'When', width: 'short', line: 1, cell: ({ atMs }) => time(atMs) },
      {
        head: 'Result',
        isText: true,
        width: 'figure',
        line: 1,
        cell: ({ outcome, answer }) => html`${badge(TONES[outcome], outcome)} <small>${cut(answer)}</small>`,
      },
      {
        head: 'Entity',
        width: 'id',
        line: 1,
        cell: (row) => html`${nameOf(row)} <small>${flowTitle(row.flow)}</small>`,
      },
      {
        head: 'What',
        isText: true,
        line: 2,
        cell: ({ action, target }) => html`${actionTitle(action)} <small>${timed(cut(targetText(target)))}</small>`,
      },
      { head: 'From', isText: true, width: 'figure', line: 3, cell: ({ before }) => valueText(cut(before)) },
      { head: 'To', isText: true, line: 3, isNamed: true, cell: ({ after }) => valueText(cut(after)) },
      { head: 'Why', isText: true, cell: ({ why }) => timed(cut(why)) },
    ],
    entries.toReversed(),
    html`<p class="lede">Nothing is on record that is like this.</p>`,
  );
}

const BUCKETS = 60;
const HEIGHT = 12;

/**
 * A picture of when the entries were made: a bar for each part of the time, with the refused and lost writes at its foot.
 * @param entries oldest first
 */
function timeLine(entries: readonly Entry[]): Content {
  const [first, last] = [entries[0]?.atMs, entries.at(-1)?.atMs];
  if (first === undefined || last === undefined || last - first < BUCKETS) return null;
  const bucketOf = ({ atMs }: Entry) => Math.min(BUCKETS - 1, Math.floor((BUCKETS * (atMs - first)) / (last - first)));
  const buckets = Map.groupBy(entries, bucketOf);
  const most = Math.max(...[...buckets.values()].map(({ length }) => length));
  const bars = [...buckets].map(([at, own]) => {
    const bad = own.filter(({ outcome }) => outcome === 'refused' || outcome === 'unknown').length;
    const [all, foot] = [own.length, bad].map((count) => (HEIGHT * count) / most) as [number, number];
    return html`<rect class="part" x="${at + 0.1}" width="0.8" y="${(HEIGHT - all).toFixed(2)}" height="${all.toFixed(2)}"/>${
      bad === 0
        ? null
        : html`<rect class="bad" x="${at + 0.1}" width="0.8" y="${(HEIGHT - foot).toFixed(2)}" height="${foot.toFixed(2)}"/>`
    }`;
  });
  return html`<figure class="timeline"><svg class="plot" viewBox="0 0 ${BUCKETS} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<figcaption><span>${time(first)}</span><span>${entries.length} entries, at most ${most} at once</span><span>${time(last)}</span></figcaption></figure>`;
}

/** The acts of people, newest first. */
export const AUDIT = page({
  path: '/audit',
  section: 'audit',
  query: z.object({ before: z.coerce.number().int().min(1).optional() }),
  async show({ opened, account }, { before }) {
    const rows = (await opened.store.audit.latest(SHOWN, account, before)).toReversed();
    const oldest = rows.at(-1);
    const nameOf = await entityNames(opened.store, rows);
    const body = html`<h1>Audit</h1><p class="lede">Every act of a person. Rows are only ever added, and each carries the hash of the one before it.</p>
${table(
  'Acts',
  [
    { head: 'When', width: 'short', line: 1, cell: ({ atMs }) => time(atMs) },
    { head: 'Who', isText: true, width: 'id', line: 1, cell: ({ who }) => who },
    {
      head: 'What',
      isText: true,
      line: 2,
      cell: ({ action, target }) => html`${actionTitle(action)} <small>${timed(cut(targetText(target)))}</small>`,
    },
    {
      head: 'Entity',
      width: 'id',
      line: 3,
      cell: (row) => html`${nameOf(row)} <small>${flowTitle(row.flow)}</small>`,
    },
    { head: 'From', isText: true, line: 3, cell: ({ before: from }) => valueText(cut(from)) },
    { head: 'To', isText: true, line: 3, isNamed: true, cell: ({ after }) => valueText(cut(after)) },
    { head: 'Result', width: 'short', cell: ({ outcome }) => outcome },
  ],
  rows,
)}${oldest === undefined || rows.length < SHOWN ? null : html`<p class="pages"><a class="button second" href="${address('audit', { account, before: String(oldest.id) })}">Older</a></p>`}`;
    return { title: 'Audit', body };
  },
});
