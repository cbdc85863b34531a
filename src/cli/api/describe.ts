import type { AccountConfig } from '../../config/resolve.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { familyOf, type Outline, outline } from '../../use/api/describe.ts';
import { exampleOf } from '../../use/api/example.ts';
import { jsonSchemaOf } from '../../use/api/schema.ts';
import { NO_BREAK } from '../paint.ts';
import { hangingText, table, wrap } from '../table.ts';
import { fieldLines, shapeIn, typeText } from './fields.ts';

const WIDTH = 80;

const SOURCES: Readonly<Record<Outline['source'], (id: string) => string>> = {
  documented: () => 'documented',
  assumed: (id) =>
    `assumed; if yours differs: marketplace.operations.${id}: {${NO_BREAK}method,${NO_BREAK}path${NO_BREAK}}`,
  overridden: () => 'overridden in the configuration',
};

const ANSWERS: Readonly<Record<'page' | 'offset' | 'array' | 'none', string>> = {
  page: 'a list by page and page_size; --all prints every page',
  offset: 'a list by limit and offset; --all prints every page',
  array: 'a list, all of it at once',
  none: 'one entity, or nothing',
};

const EFFECTS: Readonly<Record<Operation['effect'], string>> = {
  none: 'reads only',
  repeatable: 'writes; the same again changes nothing more',
  once: 'writes; sent again, it is done again',
};

/** At most 80 characters wide. */
export function descriptionText(operation: Operation, account: AccountConfig | null): string[] {
  const { id, section, paging, pathParams, query, body, bodyEncoding, effect } = operation;
  const { method, path, source, permission, summary } = outline(operation, account);
  const facts: [string, string][] = [
    ['does', summary],
    ['request', `${method} ${path}`],
    ['path', SOURCES[source](id)],
    ['spec', section],
    ['permission', permission],
    ['effect', EFFECTS[effect]],
    ['answers', ANSWERS[paging ?? 'none']],
  ];
  return [
    id,
    '',
    ...facts.flatMap(([label, text]) => hangingText(text, WIDTH, label.padEnd(12), ' '.repeat(12))),
    ...shapeText('path parameters', jsonSchemaOf(pathParams)),
    ...shapeText('query parameters', jsonSchemaOf(query)),
    ...(body === null ? ['', 'body: none'] : bodyText(jsonSchemaOf(body), bodyEncoding)),
    '',
    'example:',
    ...exampleLines(operation).map((line) => `  ${line}`),
  ];
}

function shapeText(title: string, schema: ReturnType<typeof jsonSchemaOf>): string[] {
  const lines = fieldLines(schema);
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function bodyText(schema: ReturnType<typeof jsonSchemaOf>, encoding: Operation['bodyEncoding']): string[] {
  const form = encoding === 'multipart' ? 'multipart/form-data; files by --file, the rest by --body' : typeText(schema);
  const more = (shapeIn(schema)?.additionalProperties ?? true) === false ? '' : '; other fields are sent as they are';
  return ['', ...wrap(`body: ${form}${more}`, WIDTH, ''), ...fieldLines(schema)];
}

const EXAMPLE_WIDTH = 76;

/** The example as typed in any shell. */
function exampleLines(operation: Operation): string[] {
  const { params, body, files } = exampleOf(operation);
  const words = [
    `stockbridge api ${operation.id}`,
    ...params.map((param) => `--param ${quoted(param)}`),
    ...(body === null ? [] : ['--body -']),
    ...files.map((file) => `--file ${file}`),
  ];
  const command = wrap(
    words.map((word) => word.replaceAll(' ', NO_BREAK)).join(' '),
    EXAMPLE_WIDTH - 2,
    body === null ? '' : '  ',
  );
  const continued = command.map((line, index) => (index < command.length - 1 ? `${line} \\` : line));
  if (body === null) return continued;
  const short = JSON.stringify(body);
  const json = short.length <= EXAMPLE_WIDTH - 10 ? short : JSON.stringify(body, null, 2);
  return [...`echo '${json}' |`.split('\n'), ...continued];
}

function quoted(text: string): string {
  return /^[\w.,:=@/+-]+$/.test(text) ? text : `'${text}'`;
}

/** One block a family, one or two lines an operation. */
export function listText(rows: readonly Outline[]): string[] {
  const families = Map.groupBy(rows, ({ id }) => familyOf(id));
  return [...families].flatMap(([family, members], index) => [
    ...(index === 0 ? [] : ['']),
    family,
    ...familyLines(members),
  ]);
}

function familyLines(members: readonly Outline[]): string[] {
  const lines = table(members.map(({ id, source, method, path }) => [`  ${id}`, source, `${method} ${path}`]));
  if (lines.every(({ length }) => length <= WIDTH)) return lines;
  const heads = table(members.map(({ id, source }) => [`  ${id}`, source]));
  return members.flatMap(({ method, path }, index) => [heads[index] ?? '', `      ${method} ${path}`]);
}
