import { z } from 'zod';
import { BY_ID } from './fields.ts';
import { type Method, NO_PARAMS, type Operation, type Paging, type Permission, SEARCH_QUERY } from './operation.ts';

interface Family {
  readonly section: string;
  /** The key needs a permission for one of these resources; omitted if no document names any. */
  readonly needs?: Permission['anyOf'] | undefined;
  /** Default: `read` for GET, `write` for the rest. */
  readonly access?: 'write' | undefined;
}

/** An operation in the table. Omitted parts default to the usual values of its method. */
interface Draft extends Partial<Family> {
  /** `GET /brands/{id}/` */
  readonly call: `${Method} /${string}/`;
  /** The spec shows method and path. */
  readonly documented?: true;
  readonly summary: string;
  /** Default: `id`, an integer, if the path has it. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodRawShape;
  readonly body?: z.ZodType;
  readonly bodyEncoding?: 'multipart';
  readonly answer: z.ZodType;
  readonly paging?: Exclude<Paging, null>;
  /** Default: 201 for POST, 204 for DELETE, 200 for the rest. */
  readonly successStatus?: number;
  /** Default: `none` for GET, `once` for POST, `repeatable` for the rest. */
  readonly effect?: Operation['effect'];
}

type None = typeof NO_PARAMS;
type ById = typeof BY_ID;

type Defined<Written extends Draft> = Operation<
  Written extends { params: infer Params extends z.ZodObject }
    ? Params
    : Written['call'] extends `${string}/{id}/${string}`
      ? ById
      : None,
  Written extends { query: infer Query extends z.ZodRawShape } ? z.ZodObject<Query, z.core.$strict> : None,
  Written extends { body: infer Body extends z.ZodType } ? Body : null,
  Written['answer'],
  Written extends { paging: infer Pages extends Paging } ? Pages : null
>;

const SUCCESS = { GET: 200, POST: 201, PUT: 200, PATCH: 200, DELETE: 204 } as const;
const EFFECT = { GET: 'none', POST: 'once', PUT: 'repeatable', PATCH: 'repeatable', DELETE: 'repeatable' } as const;

export function operations<const Drafts extends Readonly<Record<string, Draft>>>(family: Family, drafts: Drafts) {
  const defined = Object.entries(drafts).map(([id, draft]) => [id, define(id, { ...family, ...draft })]);
  return Object.fromEntries(defined) as { readonly [Id in keyof Drafts]: Defined<Drafts[Id]> };
}

function define(id: string, { call, documented, params, query, needs, access, ...same }: Draft & Family): Operation {
  const [method, path] = call.split(' ') as [Method, string];
  return {
    body: null,
    paging: null,
    successStatus: SUCCESS[method],
    effect: EFFECT[method],
    ...same,
    id,
    method,
    path,
    provenance: documented ? 'documented' : 'assumed',
    permission: needs === undefined ? null : { anyOf: needs, access: access ?? (method === 'GET' ? 'read' : 'write') },
    pathParams: params ?? (path.includes('/{id}/') ? BY_ID : NO_PARAMS),
    query: query === undefined ? NO_PARAMS : z.strictObject(query),
  };
}

interface Records extends Family {
  /** `contact`, as in "Get one contact". */
  readonly one: string;
  /** `contacts of customers`, as in "List the contacts of customers"; default: `one` with an s. */
  readonly many?: string;
  /** The path of the list, above that of a record; default: `/NAME/`. */
  readonly path?: `/${string}/`;
  /** The path parameters of a record, including those of the list; default: `id`. */
  readonly key?: z.ZodObject;
  /** The path parameters of the list and of a create; default: none. */
  readonly within?: z.ZodObject;
  readonly row?: z.ZodObject;
  /** The body of a create. For a change, every field is optional. */
  readonly body?: z.ZodObject;
  /** The filters of the list; default: pages and a search. */
  readonly filters?: z.ZodRawShape;
  readonly paging?: Exclude<Paging, null>;
  /** The answer of a create is used as a row, so all of it is checked. Default: only the id. */
  readonly createAnswersRow?: true;
  /** Summaries that `one` and `many` cannot form. */
  readonly summaries?: Partial<Record<Verb, string>>;
}

type Given<About, Part extends keyof Records, Default> =
  About extends Readonly<Record<Part, infer Value extends NonNullable<Records[Part]>>> ? Value : Default;

type Partly<Of extends z.ZodObject> = z.ZodObject<
  { [Name in keyof Of['shape']]: z.ZodOptional<Of['shape'][Name]> },
  Of extends z.ZodObject<z.ZodRawShape, infer Config> ? Config : z.core.$loose
>;

type Created<Row extends z.ZodObject> = z.ZodObject<Pick<Row['shape'], 'id' & keyof Row['shape']>, z.core.$loose>;

interface Crud<About extends Records, Row extends z.ZodObject, Body extends z.ZodObject> {
  readonly list: Operation<
    Given<About, 'within', None>,
    z.ZodObject<Given<About, 'filters', typeof SEARCH_QUERY>, z.core.$strict>,
    null,
    Row,
    Given<About, 'paging', 'page'>
  >;
  readonly get: Operation<Given<About, 'key', ById>, None, null, Row, null>;
  readonly create: Operation<Given<About, 'within', None>, None, Body, Created<Row>, null>;
  readonly replace: Operation<Given<About, 'key', ById>, None, Body, z.ZodNullable<Partly<Row>>, null>;
  readonly patch: Operation<Given<About, 'key', ById>, None, Partly<Body>, z.ZodNullable<Partly<Row>>, null>;
  readonly delete: Operation<Given<About, 'key', ById>, None, null, z.ZodUnknown, null>;
}
type Verb = 'list' | 'get' | 'create' | 'replace' | 'patch' | 'delete';

const BARE_ROW = z.looseObject({ id: z.int() });
const BARE_BODY = z.looseObject({});

/**
 * `NAME.list`, `NAME.get`, ... on one kind of record. If the spec shows their permission, it also shows the list's
 * path. The path of one record is assumed.
 */
export function records<const Name extends string, const Verbs extends Verb, const About extends Records>(
  name: Name,
  verbs: readonly Verbs[],
  about: About,
) {
  const { one, many = `${one}s`, path = `/${name}/` as const, key = BY_ID, row = BARE_ROW, body = BARE_BODY } = about;
  const params = about.within ?? NO_PARAMS;
  const { section, needs, access, filters: query = SEARCH_QUERY, paging = 'page', summaries = {} } = about;
  const a = /^[aeiou]/.test(one) ? 'an' : 'a';
  const list = needs === undefined ? { params } : ({ params, documented: true } as const);
  const own = Object.keys(key.shape).find((param) => !Object.hasOwn(params.shape, param));
  const at = `${path}{${own}}/` as const;
  const thin = z.looseObject('id' in row.shape ? { id: row.shape['id'] as z.ZodType } : {});
  const echo = row.partial().nullable();
  const drafts: Record<Verb, Draft> = {
    list: { ...list, call: `GET ${path}`, summary: `List the ${many}`, query, answer: row, paging },
    get: { call: `GET ${at}`, summary: `Get one ${one}`, params: key, answer: row },
    create: { ...list, call: `POST ${path}`, summary: `Create ${a} ${one}`, body, answer: thin },
    replace: { call: `PUT ${at}`, summary: `Replace ${a} ${one}`, params: key, body, answer: echo },
    patch: { call: `PATCH ${at}`, summary: `Change ${a} ${one}`, params: key, body: body.partial(), answer: echo },
    delete: { call: `DELETE ${at}`, summary: `Delete ${a} ${one}`, params: key, answer: z.unknown() },
  };
  if (about.createAnswersRow) drafts.create = { ...drafts.create, answer: row };
  const entries = verbs.map((verb) => {
    const draft = drafts[verb];
    return [`${name}.${verb}`, { ...draft, summary: summaries[verb] ?? draft.summary }];
  });
  type Made = Crud<About, Given<About, 'row', typeof BARE_ROW>, Given<About, 'body', typeof BARE_BODY>>;
  return operations({ section, needs, access }, Object.fromEntries(entries)) as unknown as {
    readonly [V in Verbs as `${Name}.${V}`]: Made[V];
  };
}
