import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import type { Call } from './caller.ts';
import type { RawRow } from './mapping.ts';
import type { Place } from './place.ts';
import { OF_FINDS, OF_PAGES } from './readable.ts';
import { compileListing, type ReadPages } from './reader.ts';
import { compileRequest } from './request.ts';
import type { JoinSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

/** Further lists that are read with the rows of a list, by name. */
export interface JoinedLists {
  /** `names`: values shared by all rows. `rowNames`: values of one row. */
  readonly names: readonly string[];
  readonly rowNames: readonly string[];
  /** Reads what a list needs once. */
  once(call: Call, given: Given): Promise<Given>;
  /** Reads what the rows of one page need. */
  of(
    call: Call,
    rows: readonly unknown[],
    known: { readonly kept: Given; readonly given: Given },
  ): Promise<{ readonly given: Given; readonly rows: readonly RawRow[] }>;
}

interface Compiled extends Pick<JoinSection, 'per'> {
  readonly name: string;
  readonly read: ReadPages;
  readonly of: Expression | null;
  readonly is: Expression | null;
  readonly at: string;
}

const MAX_ROWS = 100_000;

/** @throws ExpressionError for an invalid expression */
export function compileJoinedLists(
  sections: Readonly<Record<string, JoinSection>>,
  at: string,
  where: Place,
): JoinedLists {
  const all = Object.entries(sections).map(([name, section], index): Compiled => {
    const place = `${at}.with.${name}`;
    const names = ['rows', 'row', ...OF_FINDS, ...OF_PAGES, ...Object.keys(sections).slice(0, index)];
    const request = compileRequest(section.request, names, where(`${place}.request`));
    return {
      name,
      per: section.per,
      read: compileListing({ request, section, paging: section.paging, at: place }),
      of: section.of === undefined ? null : compileExpression(section.of, ALWAYS),
      is: section.is === undefined ? null : compileExpression(section.is, ALWAYS),
      at: place,
    };
  });
  const ofRows = all.filter(({ per, of }) => per === 'row' || of !== null);
  return {
    names: all.filter((one) => !ofRows.includes(one)).map(({ name }) => name),
    rowNames: ofRows.map(({ name }) => name),
    async once(call, given) {
      const kept: Record<string, unknown> = {};
      for (const one of all.filter(({ per }) => per === 'list')) kept[one.name] = await whole(one, call, given);
      return kept;
    },
    async of(call, rows, { kept, given: asked }) {
      if (all.length === 0) return { given: {}, rows: rows.map((row) => ({ row })) };
      const plain = rows.map((row) => (row instanceof Unfit ? row : withTexts(row)));
      const own: Record<string, unknown>[] = rows.map(() => ({}));
      const given: Record<string, unknown> = {};
      /** Later requests of the page may use these lists. */
      const read: Record<string, unknown> = {};
      for (const one of plain.length === 0 ? [] : all) {
        if (one.per === 'row') {
          await Promise.all(
            plain.map(async (row, index) => {
              if (!(row instanceof Unfit))
                Object.assign(own[index] ?? {}, {
                  [one.name]: await whole(one, call, { ...asked, ...read, ...own[index], row }),
                });
            }),
          );
          continue;
        }
        const known = plain.filter((row) => !(row instanceof Unfit));
        const found =
          one.per === 'list'
            ? (kept[one.name] as unknown[])
            : await whole(one, call, { ...asked, ...read, rows: known });
        read[one.name] = found;
        if (one.of === null) given[one.name] = found;
        else
          for (const [index, list] of (await byKey(one, call, plain, found)).entries())
            Object.assign(own[index] ?? {}, { [one.name]: list });
      }
      return { given, rows: rows.map((row, index) => ({ row, given: own[index] })) };
    },
  };
}

/** @throws CallFailure `incomplete` when the list may lack rows */
async function whole(one: Compiled, call: Call, given: Given): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of one.read(call, given)) {
    for (const row of page.rows) {
      if (row instanceof Unfit) throw call.invalidAnswer(one.at, row.problem);
      rows.push(withTexts(row));
    }
    if (rows.length > MAX_ROWS) throw call.invalidAnswer(one.at, `more than ${MAX_ROWS} rows`);
    if (page.last && !page.whole) throw call.incomplete();
  }
  return rows;
}

/** The records of each row; an empty list where there are none. */
async function byKey(
  one: Compiled,
  call: Call,
  rows: readonly unknown[],
  found: readonly unknown[],
): Promise<unknown[][]> {
  const keyed = new Map<string, unknown[]>();
  const tell = (expression: Expression | null, row: unknown, where: string) =>
    expression === null || row instanceof Unfit
      ? Promise.resolve(undefined)
      : call.tell(expression, row, {}, `${one.at}.${where}`);
  const keys = await Promise.all(found.map((row) => tell(one.of, row, 'of')));
  for (const [index, key] of keys.entries()) {
    for (const name of new Set(namesIn(key))) {
      const before = keyed.get(name);
      if (before === undefined) keyed.set(name, [found[index]]);
      else before.push(found[index]);
    }
  }
  const wanted = await Promise.all(rows.map((row) => tell(one.is, row, 'is')));
  return wanted.map((key) => namesIn(key).flatMap((name) => keyed.get(name) ?? []));
}

function namesIn(key: unknown): string[] {
  const names = Array.isArray(key) ? (key as unknown[]) : key === undefined ? [] : [key];
  return names.map((name) => String(name as string | number));
}
