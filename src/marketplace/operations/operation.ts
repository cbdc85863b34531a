import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `page`: page, page_size and ordering. `offset`: limit and offset. `array`: all rows at once, without an envelope.
 * null: no list.
 */
export type Paging = 'page' | 'offset' | 'array' | null;

/**
 * The access that a key needs to one of these resources (spec 1, Permissions). null where the spec's table does not
 * name the family.
 */
export interface Permission {
  readonly anyOf: readonly ('Orders' | 'Products' | 'Customers')[];
  readonly access: 'read' | 'write';
}

/** `Orders or Products: Read`, as in the spec. */
export function permissionText(permission: Permission | null): string {
  if (permission === null) return 'not shown in the spec';
  return `${permission.anyOf.join(' or ')}: ${permission.access === 'read' ? 'Read' : 'Read & Write'}`;
}

export interface Operation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Answer extends z.ZodType = z.ZodType,
  Pages extends Paging = Paging,
> {
  /** `orders.list`: family and verb. */
  readonly id: string;
  readonly summary: string;
  readonly method: Method;
  /** Below {base_url}/api/v2, with slashes at both ends; `{name}` is a path parameter. */
  readonly path: string;
  /** `documented`: the spec shows method and path. `assumed`: a default that may be overridden. */
  readonly provenance: 'documented' | 'assumed';
  readonly permission: Permission | null;
  /** "1, Endpoints, Orders". */
  readonly section: string;
  readonly pathParams: Path;
  readonly query: Query;
  /** null: no payload. */
  readonly body: Body;
  /** multipart/form-data with files (`wireFile`) as parts; default: JSON. */
  readonly bodyEncoding?: 'multipart';
  /**
   * The entity, or one row of a list. Answers are only checked, never transformed: the entity is returned as sent, with
   * every field. A write's answer requires only what the caller needs, because the write is done in any case.
   */
  readonly answer: Answer;
  readonly paging: Pages;
  /** The sandbox answers with it. The client accepts any other 2xx too. */
  readonly successStatus: number;
  /** May the request be repeated when its answer was lost? `repeatable` sets a state; `once` adds one. */
  readonly effect: 'none' | 'repeatable' | 'once';
}

export const NO_PARAMS = z.strictObject({});

/** Spec 1, Pagination: page from 1, page_size 1..500, ordering by an attribute, a dash for descending. */
export const PAGE_QUERY = {
  page: z.int().min(1).optional(),
  page_size: z.int().min(1).max(500).optional(),
  ordering: z
    .string()
    .regex(/^-?[a-z][a-z0-9_]*$/, 'expected an attribute name, with a dash in front for descending')
    .optional(),
} as const;

export const SEARCH_QUERY = { ...PAGE_QUERY, search: z.string().min(1).optional() } as const;

/** Spec 2, limit/offset lists. The page size has the bounds of page_size. */
export const OFFSET_QUERY = {
  limit: z.int().min(1).max(500).optional(),
  offset: z.int().min(0).optional(),
  ordering: PAGE_QUERY.ordering,
} as const;

/** Spec 1, List response envelope. Rows are parsed one by one, so that an invalid row does not hide the others. */
export const envelope = z.looseObject({
  count: z.int().min(0),
  next: z.string().nullish(),
  previous: z.string().nullish(),
  results: z.array(z.unknown()),
});
