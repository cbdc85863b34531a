import type { CallFailure } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { rawNumber } from '../../http/json.ts';
import { notSent } from '../failure.ts';
import { compileTemplate, compileText } from './template.ts';
import { ALWAYS, type RequestSection } from './texts.ts';

export interface Outgoing {
  readonly method: RequestSection['method'];
  /** Path and query below erp.url, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Request {
  readonly method: RequestSection['method'];
  /** The call without record ids: `PATCH /orders/{id}`. */
  readonly operation: string;
  /** @throws CallFailure `refused`, `not-applied` when an expression fails or no address can name the record */
  make(given: Given): Promise<Outgoing>;
}

/**
 * @param place of the section, for messages
 * @throws ExpressionError for an invalid expression
 */
export function compileRequest(section: RequestSection, names: readonly string[], place: string): Request {
  const known = [...ALWAYS, ...names, 'auth'];
  const path = compileText(section.path, known, segment);
  const query = compileTemplate(section.query ?? {}, known);
  const headers = compileTemplate(section.headers ?? {}, known);
  const body = section.body === undefined ? null : compileTemplate(section.body, known);
  const form = section.form === undefined ? null : compileTemplate(section.form, known);
  return {
    method: section.method,
    operation: `${section.method} ${section.path.replace(/\{\{\s*\$?([\w.]*)[^}]*\}\}/g, (_, name: string) => `{${lastOf(name)}}`)}`,
    async make(given) {
      const parts = [path, query, headers, body, form].map(async (part) => part?.(given));
      const [target, params, own, json, fields] = await Promise.all(parts).catch((error: unknown) => {
        throw error instanceof ExpressionError ? unmade(place, error) : error;
      });
      const written = queryOf(params as Fields, section.lists === 'repeated');
      return {
        method: section.method,
        target: `${target as string}${written === '' ? '' : `?${written}`}`,
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headersOf(own as Fields),
        },
        body:
          fields === undefined
            ? json === undefined
              ? null
              : JSON.stringify(withNumbers(json))
            : queryOf(fields as Fields),
      };
    },
  };
}

/** A request with a failing expression. */
function unmade(place: string, { message }: ExpressionError): CallFailure {
  const text = `The ERP was not asked: its description cannot make the request. ${place}: ${message}. Correct it there.`;
  return notSent(text);
}

type Fields = Readonly<Record<string, unknown>>;

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1) || 'value';

/**
 * A path segment. An empty one, `.` and `..` would reach another address even when encoded, and half a surrogate pair
 * cannot be encoded.
 */
function segment(value: unknown): string {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  if (!/^\.{0,2}$/.test(text) && text.isWellFormed()) return encodeURIComponent(text);
  const what = `The ERP was not asked for its record ${JSON.stringify(value)}`;
  throw notSent(`${what}: no address can name it. Give it another id there.`);
}

/** Commas in a list stay unencoded, for servers that split before they decode. */
function queryOf(params: Fields, repeated = false): string {
  const one = ([name, value]: readonly [string, unknown]): [string, unknown][] =>
    repeated && Array.isArray(value) ? value.map((part: unknown) => [name, part]) : [[name, value]];
  return Object.entries(params)
    .flatMap(one)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name).replaceAll('%24', '$')}=${parameter(value)}`)
    .join('&');
}

function parameter(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameter).join(',');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}

/** Names in lower case, without undefined values. */
export function headersOf(fields: Fields): Record<string, string> {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), String(value as string | number)]));
}

/** `{"$number": "12.50"}`, made by `$exact("12.50")`, is sent as the number 12.50. */
function withNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withNumbers);
  const entries = Object.entries(value);
  const [[name, digits] = []] = entries;
  if (entries.length === 1 && name === '$number' && typeof digits === 'string') return rawNumber(digits);
  return Object.fromEntries(entries.map(([key, part]) => [key, withNumbers(part)]));
}
