import { counted } from '../domain/counted.ts';
import { moneyText } from '../domain/money-text.ts';
import {
  type Explanation,
  type FacilitySum,
  type FlowNow,
  figureText,
  type Happening,
  inUnits,
  type SideShown,
  type StockSum,
} from '../use/explain/explanation.ts';
import type { Shown } from '../use/jobs/dossier.ts';
import { type Cli, lineWidth, paint } from './output.ts';
import { causeText, entry, hangingText, shownInstant, table, wrap } from './table.ts';

const WIDEST = 110;
const INDENT = '  ';

/** The answer, the stock sum, both sides, the next writes, and the history. */
export function explanationText(cli: Cli, told: Explanation, limit: number): string[] {
  const width = lineWidth(cli, WIDEST);
  const part = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint(cli, cli.stdout, 'bold', name), ...lines];
  const { stock, sides, flows, story } = told;
  return [
    ...wrap(told.answer, width, '').map((line) => paint(cli, cli.stdout, 'bold', line)),
    ...part('The sum', stock === null ? [] : sumText(stock, width)),
    ...part(
      'The sum by facility',
      told.facilities.flatMap((one) => facilityText(one, width)),
    ),
    ...part('Both sides', sidesText(told, width)),
    ...part('Agreed on last', sides.base === null ? [] : entry(fieldsText(sides.base), width, INDENT)),
    ...part(
      'Next',
      flows.flatMap((flow) => flowText(flow, width)),
    ),
    ...part(
      'The story, newest first',
      story.slice(0, limit).flatMap((one) => entry(happeningText(one), width, INDENT)),
    ),
    '',
    ...endText(told, limit, width),
  ];
}

function sumText(stock: StockSum, width: number): string[] {
  const { erp, buffer, lines, figure, field, shown, written } = stock;
  const units = (text: string) => inUnits(text, stock);
  const listed = (text: string) => figureText(text, stock);
  const parts = erp.onHand === null ? '' : `on hand ${units(erp.onHand)}, reserved ${units(erp.reserved ?? '?')}, `;
  const rows: SumRow[] = [
    ['  available in the ERP', units(erp.available), `${parts}as of ${erp.asOf}`],
    ...(buffer === '0' ? [] : [['  buffer', units(negative(buffer)), 'inventory.buffer'] as const]),
    ...lines.map(
      ({ order, status, quantity, adds, why }) =>
        [
          `  ${order === null ? 'no known order' : `order ${order}`}`,
          adds === '0' ? '0' : units(signed(adds)),
          `${units(quantity)}${status === null ? '' : ` ${status}`}: ${why}`,
        ] as const,
    ),
    [`  ${field}`, listed(figure), writtenText(shown, written, listed)],
  ];
  return sumLines(rows, width);
}

type SumRow = readonly [name: string, figure: string, text: string];

/** A sum with aligned figures. */
function sumLines(rows: readonly SumRow[], width: number): string[] {
  const heads = table(
    rows.map(([name, figure]) => [name, figure]),
    [1],
  );
  return rows.flatMap(([, , text], index) => {
    const head = `${heads[index]}${INDENT}`;
    return text === '' ? [head.trimEnd()] : hangingText(text, width, head, ' '.repeat(head.length));
  });
}

function facilityText(sum: FacilitySum, width: number): string[] {
  const { facility, batch, rows, available, reserved, figure, shown } = sum;
  const units = (text: string) => inUnits(text, sum);
  const listed = (text: string) => figureText(text, sum);
  const told: SumRow[] = [
    ...rows.map(({ name, adds, why }, index) => [`  ${name}`, units(index === 0 ? adds : signed(adds)), why] as const),
    ['  buyers may take', units(available), ''],
    [
      '  on hand',
      listed(figure),
      `with ${listed(reserved)} reserved there; the marketplace shows ${shown === null ? 'nothing' : listed(shown)}`,
    ],
  ];
  return [`${INDENT}facility ${facility}, batch ${batch}:`, ...sumLines(told, width)];
}

function writtenText(shown: string | null, written: StockSum['written'], listed: (text: string) => string): string {
  const there = shown === null ? [] : [`the marketplace shows ${listed(shown)}`];
  const last =
    written === null ? [] : [`${listed(written.figure)} was written at ${shownInstant(Date.parse(written.at))}`];
  return [...there, ...last].join('; ');
}

function signed(figure: string): string {
  return figure.startsWith('-') ? figure : `+${figure}`;
}

function negative(figure: string): string {
  return figure.startsWith('-') ? `+${figure.slice(1)}` : `-${figure}`;
}

function sidesText({ sides, link, isPast }: Explanation, width: number): string[] {
  const side = (name: string, { fields, readAt }: SideShown) => {
    const read = readAt === null ? '' : `; read at ${shownInstant(Date.parse(readAt))}`;
    return entry(`${name}: ${fields === null ? 'not known' : fieldsText(fields)}${read}`, width, INDENT);
  };
  const differing = sides.differing.length === 0 ? [] : [`${INDENT}they differ in ${sides.differing.join(', ')}`];
  const linked = link === null ? 'not linked' : `${link.state === 'linked' ? 'linked' : 'being created'} (${link.how})`;
  return [
    ...side('marketplace', sides.marketplace),
    ...side('ERP', sides.erp),
    ...differing,
    ...(isPast ? [] : [`${INDENT}${linked}`]),
  ];
}

export function fieldsText(fields: Shown): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${typeof value === 'object' ? value.join(' + ') : value}`],
    )
    .join(', ');
}

const STATES: Readonly<Record<FlowNow['state'], string>> = {
  'in-step': 'in step',
  'to-write': 'to be written',
  held: 'held',
  failed: 'failed',
  'in-doubt': 'in doubt',
};

function flowText(
  { flow, state, isWaiting, since, writes, holds, alerts, doubts, job }: FlowNow,
  width: number,
): string[] {
  const from = since === null ? '' : ` since ${shownInstant(Date.parse(since))}`;
  const inner = (text: string) => entry(text, width, INDENT.repeat(2));
  return [
    `${INDENT}${flow}: ${STATES[state]}${from}${isWaiting ? ', waits for its look' : ''}`,
    ...writes.flatMap(({ action, target, before, after, why, stoppedBy }) => [
      ...inner(`${action} ${target}: ${moneyText(before ?? '-')} -> ${moneyText(after ?? '-')}; ${why}`),
      ...(stoppedBy === null ? [] : inner(`not now: ${causeText(stoppedBy)}`)),
    ]),
    ...holds.flatMap((hold) => inner(causeText(hold))),
    ...alerts.flatMap((alert) => inner(`alert: ${causeText(alert)}`)),
    ...doubts.flatMap(({ evidence, choices }) => [
      ...(evidence === null ? [] : inner(causeText(evidence))),
      ...choices.flatMap(inner),
    ]),
    ...(job === null ? [] : inner(`once the cause is gone: stockbridge jobs replay ${job}`)),
  ];
}

function happeningText({ at, flow, what, before, after, why, outcome, answer, who }: Happening): string {
  const change = before === null && after === null ? '' : `: ${moneyText(before ?? '-')} -> ${moneyText(after ?? '-')}`;
  const by = who === null ? '' : `${who}: `;
  const said = [outcome === null || outcome === 'noted' ? '' : outcome, why, answer === '' ? '' : `answer: ${answer}`];
  const rest = said.filter((text) => text !== '').join('; ');
  const from = flow === null || what.startsWith(flow) ? '' : `${flow} `;
  return `${shownInstant(Date.parse(at))} ${by}${from}${what}${change}${rest === '' ? '' : `; ${rest}`}`;
}

function endText(
  { story, hasMore, unknown, recordedFrom, related, isPast }: Explanation,
  limit: number,
  width: number,
) {
  const left = story.length - limit;
  const more = hasMore ? `more than ${counted(Math.max(left, 0), 'older entry')}` : `${left} older`;
  return [
    ...(left > 0 || hasMore ? [`${INDENT}${more}: --limit shows them`] : []),
    ...(recordedFrom === null
      ? []
      : [`${INDENT}There are no records of it from before ${shownInstant(Date.parse(recordedFrom))}.`]),
    ...unknown.flatMap((text) => wrap(text, width, INDENT)),
    ...(related.length === 0 || isPast
      ? []
      : wrap(`See also: ${related.map(({ name }) => name).join(', ')}`, width, INDENT)),
  ];
}
