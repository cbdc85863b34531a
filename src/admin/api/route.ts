import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AdminContext } from '../../use/admin-context.ts';
import type { JsonOf } from '../../use/shapes.ts';
import type { Caller } from '../access.ts';

export interface ApiParts {
  /** The path under which a proxy serves all of it; empty: none. */
  readonly base: string;
  /** Opens the store and the background work for a call, in the name of the caller. */
  readonly openedFor: (caller: Caller) => AdminContext;
  /** null: the caller is unknown. */
  readonly callerOf: (request: FastifyRequest) => Caller | null;
  /** A mistake of ours: it is logged, and its text is not for the network. */
  readonly onFailure: (error: unknown) => void;
}

/** The path of the call that streams new entries of the journal. */
export const LIVE_PATH = '/live';

/** Everything that a call is given, checked by its schemas. */
interface Given<Path, Query, Body> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly signal: AbortSignal;
}

/**
 * One call of the admin API. A GET changes nothing, and a viewer may make it. Every other method asks for an operator. The account
 * that a path names is one of the configuration.
 */
export interface Route {
  /** The name of the operation, and of the method of a generated client: `pauseFlow`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1: `/accounts/{account}/mappings`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  readonly query: z.ZodObject;
  /** null: it takes no body. */
  readonly body: z.ZodType | null;
  readonly answer: z.ZodType;
  run(opened: AdminContext, given: Given<unknown, unknown, unknown>): Promise<unknown>;
}

const NOTHING = z.strictObject({});

/** A part of answers that has a name in the description: a generated client has a type of that name. */
export function named<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

interface Written<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>
  extends Pick<Route, 'id' | 'method' | 'path' | 'summary'> {
  readonly parameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  run(
    opened: AdminContext,
    given: Given<z.output<Path>, z.output<Query>, z.output<Body>>,
  ): Promise<JsonOf<z.input<Answer>>>;
}

/** A route whose function is given what its schemas describe, and answers what its schema says. */
export function route<
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(written: Written<Path, Query, Body, Answer>): Route {
  const { parameters = NOTHING, query = NOTHING, body = null, ...same } = written;
  return { ...same, parameters, query, body };
}

export const accountName = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The name of an account in the configuration' });

/** The query of a call about one account, or about all accounts. */
export const ofAccount = z.strictObject({ account: accountName.optional() });

export const account = z.strictObject({ account: accountName });

const MAX_LIMIT = 500;

/** The most rows of one answer. */
export const limit = z.coerce.number().int().min(1).max(MAX_LIMIT).default(100);

/** The last row of the page before, as that answer named it: a text, whatever it stands for. */
export const after = z.string().min(1).max(2_000).meta({ description: '`next` of the page before' });

const NOT_NEXT = 'expected `next` of the answer before';

/** The same, read by a function that answers null for what no answer has named. */
export function afterAs<Key>(read: (text: string) => Key | null) {
  return after.transform((text, context): Key => {
    const key = read(text);
    if (key !== null) return key;
    context.addIssue({ code: 'custom', message: NOT_NEXT });
    return z.NEVER;
  });
}

/** The same, where it is the number of a row. */
export const afterNumber = afterAs((text) => (/^\d{1,15}$/.test(text) ? Number(text) : null)).optional();

/** A part of a list. `next` asks for the part after it; null: there is none. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** @param keyOf the key by which the next page is asked for */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  asked: number,
  keyOf: (row: Row) => string | number,
  show: (row: Row) => Item,
) {
  const last = rows.at(-1);
  return { items: rows.map(show), next: last === undefined || rows.length < asked ? null : String(keyOf(last)) };
}

/** A list that is short, and comes whole. */
export function whole<Item>(items: readonly Item[]) {
  return { items, next: null };
}

export const instant = z.iso.datetime().meta({ description: 'An instant, in UTC' });

export function asInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Something that is done to a target, with the value before and after: the fields of a write, an act and an item of a plan. */
export const change = {
  flow: z.string(),
  key: z.string(),
  action: z.string(),
  target: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
};
