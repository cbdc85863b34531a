import type { AccountConfig } from '../../config/resolve.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { NO_BREAK, wrap } from '../table.ts';
import { exampleLines, exampleOf } from './example.ts';
import { fieldLines, shapeIn, typeText } from './fields.ts';
import { type Outline, outline } from './list.ts';
import { jsonSchemaOf } from './schema.ts';

const WIDTH = 80;

/** Everything about an operation, as JSON Schema where it has a shape. */
export function description(operation: Operation, account: AccountConfig | null) {
  const { body, bodyEncoding, pathParams, query, paging, section, effect } = operation;
  const { params, body: exampleBody, files } = exampleOf(operation);
  return {
    ...outline(operation, account),
    section,
    paging,
    effect,
    pathParameters: jsonSchemaOf(pathParams),
    queryParameters: jsonSchemaOf(query),
    body: body === null ? null : jsonSchemaOf(body),
    bodyEncoding: body === null ? null : (bodyEncoding ?? 'json'),
    example: { params, body: exampleBody === null ? null : JSON.stringify(exampleBody), files },
  };
}

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

/** The same for a person, at most 80 characters wide. */
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
    ...facts.flatMap(([label, text]) => {
      const [first = '', ...more] = wrap(text, WIDTH, ' '.repeat(12));
      return [label.padEnd(12) + first.slice(12), ...more];
    }),
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
