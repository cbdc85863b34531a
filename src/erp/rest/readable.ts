import type { z } from 'zod';
import { expressionProblem } from '../../expressions/expression.ts';
import { type Field, fieldsOf } from './row-rule.ts';
import type { Description, FindName, FindSection, JoinSection, ListSection } from './schema.ts';
import { sectionOf } from './sections.ts';
import { templateProblems } from './template.ts';
import { ALWAYS } from './texts.ts';

/** The names for every mapping expression, besides its `with` lists. */
export const OF_ROWS = [...ALWAYS, 'row', 'from', 'as_of', 'reference', 'id', 'sku', 'skus'] as const;
/** What a find looks for. Undefined in a list. */
export const OF_FINDS = ['reference', 'id', 'sku', 'skus'] as const;
export const OF_PAGES = ['cursor', 'page', 'offset', 'size'] as const;
/** Names reserved in mappings. */
const TAKEN: readonly string[] = [...OF_ROWS, 'rows', 'given', 'at', 'since', ...OF_PAGES];

/**
 * Checks a description's mappings, whose names depend on their `with` lists; a find also knows its list's names. It
 * runs even when another key is wrong, so that all errors are reported together.
 */
export const readableMappings = [check, { when: () => true }] as const;

type Context = z.core.$RefinementCtx;

function check(value: unknown, context: Context): void {
  const whole = (value ?? {}) as Pick<Description, 'lists' | 'finds'>;
  for (const [name, section] of Object.entries(whole.lists ?? {})) {
    look(['lists', name], section, section, context);
    for (const [index, part] of partsOf(section)) look(['lists', name, 'also', index], part, part, context);
  }
  for (const [name, section] of Object.entries(whole.finds ?? {})) {
    const inherits = sectionOf(whole, name as FindName);
    look(['finds', name], section, inherits ?? section, context);
    for (const [index, part] of partsOf(section))
      look(['finds', name, 'also', index], part, inherits?.also?.[Number(index)] ?? part, context);
  }
}

type Section = ListSection | FindSection;

/** The further requests of a list or find. The value is unvalidated; the schema reports a wrong shape. */
function partsOf({ also }: Section): [index: string, part: Section][] {
  return Array.isArray(also) ? (also as Section[]).map((part, index) => [String(index), part]) : [];
}

/** @param whole the section with the keys inherited from its list */
function look(at: readonly string[], own: Section, whole: Section, context: Context): void {
  const report = (path: readonly string[], message: string) =>
    context.addIssue({ code: 'custom', path: [...at, ...path], message });
  for (const [index, [name, section]] of Object.entries(own.with ?? {}).entries())
    lookBeside(name, section, Object.keys(own.with ?? {}).slice(0, index), report);
  const names = [...OF_ROWS, ...Object.keys(whole.with ?? {})];
  for (const { path, text } of textsOf(whole)) {
    const problem = typeof text === 'string' ? expressionProblem(text, names) : null;
    // An inherited problem is reported at the list, unless the find's own `with` changes the names.
    const isOwn = path[0] !== undefined && Object.hasOwn(own, path[0]);
    if (problem === null || (!isOwn && own.with === undefined)) continue;
    report(
      isOwn ? path : [],
      `${isOwn ? 'is' : `its ${path.join('.')} of the list is`} no JSONata expression: ${problem}`,
    );
  }
}

function lookBeside(
  name: string,
  { per, of, is, request }: JoinSection,
  before: readonly string[],
  report: (path: readonly string[], message: string) => void,
): void {
  const at = ['with', name];
  const rows = [...OF_FINDS, ...{ list: [], page: ['rows', ...before], row: ['row', ...before] }[per]];
  for (const { path, message } of templateProblems(request, [...ALWAYS, ...rows, ...OF_PAGES, 'auth']))
    report([...at, 'request', ...path.map(String)], message);
  if (TAKEN.includes(name)) report(at, `$${name} stands for something else: give it another name`);
  if (per === 'row' && of !== undefined) report([...at, 'of'], 'is never asked: it is read for each row, by its $row');
  if (per !== 'row' && of !== undefined && is === undefined)
    report([...at, 'is'], 'is missing: of says by which key it belongs to a row, and is has to say which row that is');
  if (is !== undefined && of === undefined) report([...at, 'of'], 'is missing: "is" is compared with it');
}

function textsOf(section: Section): readonly { readonly path: readonly string[]; readonly text: unknown }[] {
  const row: readonly Field[] = section.row === undefined ? [] : fieldsOf(section.row);
  return [
    { path: ['each'], text: section.each },
    { path: ['where'], text: section.where },
    ...row.map(({ path, text }) => ({ path: ['row', ...path], text })),
  ];
}
