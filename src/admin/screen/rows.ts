import { type Content, type Html, html } from './html.ts';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Content;
  /** A figure is aligned to the right, in digits of one width. */
  readonly isFigure?: true;
  /** A text of any length, for which the other columns leave room. Its first two lines are shown. */
  readonly isText?: true;
  /** In a table with widths, each column keeps its place whatever the rows hold. Those without one share what is left. */
  readonly width?: 'tick' | 'count' | 'figure' | 'short' | 'id' | 'wide' | 'text';
  /**
   * The line of the card that a row is on a phone. A table with lines has cards of no more than three, and the columns of a line
   * follow each other. A column without one is not shown there.
   */
  readonly line?: 1 | 2 | 3;
  /** On a phone the head stands before the cell. */
  readonly isNamed?: true;
  /** The names of the sorts by this column. */
  readonly sorts?: { readonly up: string; readonly down: string; readonly isDownFirst?: true };
}

/** The sort of a table, and the address of the same table sorted in another way. */
export interface Sorting {
  readonly now: string;
  readonly to: (sort: string) => string;
}

/**
 * A table. On a narrow screen each row is a card of its cells.
 * @param none stands in the place of a table without rows
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  none?: Html,
  sorting?: Sorting,
): Html {
  if (none !== undefined && rows.length === 0) return none;
  const isFixed = columns.some(({ width }) => width !== undefined);
  const isLined = columns.some(({ line }) => line !== undefined);
  const kind = `rows${isFixed ? ' fixed' : ''}${isLined ? ' lined' : ''}`;
  const cells = columns.map((column, at) => ({ ...column, start: startOf(columns, at, isLined) }));
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="${kind}">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column) => headOf(column, sorting))}</tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr>${cells.map(({ start, cell, isText }) => html`<td${start}>${isText ? html`<div class="text">${cell(row)}</div>` : cell(row)}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}

/** The attributes of the cells of a column. */
function startOf<Row>(columns: readonly Column<Row>[], at: number, isLined: boolean): Content {
  const { head, isFigure, isText, line, isNamed } = columns[at] as Column<Row>;
  const isNext = at > 0 && line !== undefined && line !== columns.slice(0, at).findLast((one) => one.line)?.line;
  // A text leaves room for what follows on its line.
  const isShared = isText && line !== undefined && columns.slice(at + 1).some((one) => one.line === line);
  const names = [
    isFigure && 'figure',
    isText && 'text',
    isLined && line === undefined && 'apart',
    isLined && isNext && 'next',
    isShared && 'shared',
    isLined && isNamed && 'named',
  ].filter((name) => typeof name === 'string');
  const isTold = at > 0 && (!isLined || isNamed);
  return html`${names.length === 0 ? null : html` class="${names.join(' ')}"`}${isTold ? html` data-head="${head}"` : null}`;
}

function headOf<Row>({ head, isFigure, isText, width, sorts }: Column<Row>, sorting: Sorting | undefined): Html {
  const names = [isFigure && 'figure', isText && 'text', width && `w-${width}`].filter(Boolean).join(' ');
  const side = names === '' ? null : html` class="${names}"`;
  if (sorts === undefined || sorting === undefined) return html`<th scope="col"${side}>${head}</th>`;
  const { up, down, isDownFirst = false } = sorts;
  const way = sorting.now === up ? 'ascending' : sorting.now === down ? 'descending' : null;
  const next = way === 'ascending' || (way === null && isDownFirst) ? down : up;
  const mark = way === null ? null : html` <span aria-hidden="true">${way === 'ascending' ? '▲' : '▼'}</span>`;
  return html`<th scope="col"${side}${way === null ? null : html` aria-sort="${way}"`}><a href="${sorting.to(next)}">${head}${mark}</a></th>`;
}
