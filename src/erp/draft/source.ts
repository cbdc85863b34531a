import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { parse } from 'yaml';
import { createPool, exchange } from '../../http/exchange.ts';
import { notSent } from '../failure.ts';
import { addressOf } from '../sql/address.ts';
import { answersSource } from './answers.ts';
import { readDatabase } from './database.ts';
import type { Source } from './draft.ts';
import { answersIn, parsedJson, readFolder, wholeText } from './folder.ts';
import { graphqlSource, introspectionIn } from './graphql.ts';
import { isOpenapi, openapiSource } from './openapi.ts';
import type { Named } from './score.ts';
import { DraftFault } from './shape.ts';
import { decoded } from './values.ts';

/** Opens and reads the source of a draft. It changes nothing there. */

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 16_000_000;
/** YAML is far slower to parse than JSON. */
const MAX_YAML_CHARACTERS = 8_000_000;

export interface DraftRequest {
  /** An address of a document or database, a file, or a folder. */
  readonly from: string;
  /** Whether a folder of JSON files holds sample answers, or the ERP's exchanged files. */
  readonly as: 'rest' | 'files';
  /** For a database whose address has no password. */
  readonly password: string | undefined;
  readonly named: Named;
}

/** @throws DraftFault, CallFailure */
export async function openSource({ from, as, password, named }: DraftRequest, signal: AbortSignal): Promise<Source> {
  const url = /^[a-z]+:\/\//i.test(from) ? URL.parse(from) : null;
  if (url !== null) {
    if (/^https?:$/.test(url.protocol))
      return documented(await fetched(url, signal), nameOf(url.pathname), withoutLogin(url));
    return databaseAt(url, password, Object.values(named), signal);
  }
  const isFolder = (await stat(from)).isDirectory();
  const dir = isFolder ? from : dirname(from);
  if (isFolder && as === 'rest') {
    const answers = await answersIn(dir);
    if (answers !== null) return { type: 'rest', ...answersSource(answers.answers, answers.cut) };
  }
  if (isFolder) return { type: 'files', dir: resolve(dir), ...(await readFolder(dir)) };
  if (/\.(csv|xlsx)$/i.test(from))
    throw new DraftFault('give the folder that the file lies in: the files in it belong together');
  return documented(await wholeText(from), nameOf(from), null);
}

function nameOf(path: string): string {
  return basename(path, extname(path)) || 'rows';
}

function withoutLogin({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** An OpenAPI document, an introspection answer, or a sample answer. */
function documented(text: string, name: string, base: string | null): Source {
  const isJson = /^\s*[[{]/.test(text);
  const document = isJson ? parsedJson(text) : parsedYaml(text);
  const schema = introspectionIn(document);
  if (schema !== null) return { type: 'rest', ...graphqlSource(schema, base) };
  if (isOpenapi(document)) return { type: 'rest', ...openapiSource(document, base) };
  if (typeof document !== 'object' || document === null)
    throw new DraftFault('it is neither an OpenAPI 3 document nor an answer in JSON');
  return { type: 'rest', ...answersSource([{ name, body: document }]) };
}

function parsedYaml(text: string): unknown {
  if (text.length > MAX_YAML_CHARACTERS)
    throw new DraftFault(`more than ${MAX_YAML_CHARACTERS} characters of YAML are not read: give the document as JSON`);
  try {
    return parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    const [said = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new DraftFault(
      `it is no YAML that can be read: ${error instanceof RangeError ? 'it is nested too deeply' : said}`,
    );
  }
}

async function fetched(url: URL, signal: AbortSignal): Promise<string> {
  const pool = createPool(url.origin, { connections: 1, connectTimeoutMs: TIMEOUT_MS });
  const login =
    url.username === ''
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString('base64')}`,
        };
  const request = {
    origin: url.origin,
    method: 'GET' as const,
    target: `${url.pathname}${url.search}`,
    headers: { accept: 'application/json, application/yaml, */*', ...login },
    body: null,
  };
  try {
    const answer = await exchange(pool, request, { timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES, signal });
    if (answer.kind === 'broken')
      throw notSent(`${withoutLogin(url)} gave no document: ${answer.message || answer.code}`, 'unavailable');
    const { status, headers, body } = answer;
    if (status === 401 || status === 403)
      throw notSent(
        `${withoutLogin(url)} answered ${status}: it asks for a login. Save the document, and give the file`,
        'credentials',
      );
    if (status >= 500) throw notSent(`${withoutLogin(url)} answered ${status}`, 'unavailable');
    if (status !== 200)
      throw new DraftFault(
        `it answered ${status}${headers.location === undefined ? '' : `, and points to another address: give that one`}`,
      );
    return new TextDecoder('utf-8').decode(body);
  } finally {
    await pool.destroy();
  }
}

async function databaseAt(
  url: URL,
  given: string | undefined,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<Source> {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.search = '';
  const written = bare.href;
  const address = addressOf(written);
  if (address === null)
    throw new DraftFault(
      'expected an address such as https://..., postgres://USER@HOST:PORT/DATABASE or mariadb://...',
    );
  const user = decoded(url.username);
  if (user === '') throw new DraftFault('the address names no user: postgres://USER@HOST:PORT/DATABASE');
  const password = url.password === '' ? (given ?? '') : decoded(url.password);
  return {
    type: 'sql',
    address,
    user,
    url: written,
    ...(await readDatabase({ address, user, password }, tables, signal)),
  };
}
