import type { Entry } from '../../use/journal.ts';
import { type Content, html } from './html.ts';
import { time } from './show.ts';

const BUCKETS = 60;
const HEIGHT = 12;

/**
 * A picture of when the entries were made: a bar for each part of the time, with the refused and lost writes at its foot.
 * @param entries oldest first
 */
export function timeLine(entries: readonly Entry[]): Content {
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
