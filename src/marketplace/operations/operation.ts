import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `page` lists take page, page_size and ordering; `offset` lists take limit and offset; `array` lists answer all their
 * rows at once, without an envelope; null is no list.
 */
export type Paging = 'page' | 'offset' | 'array' | null;

/**
 * The permission that a key needs: this access to one of these resources (spec 1, Permissions). An operation has no permission
 * when the spec's table does not name its family.
 */
export interface Permission {
  readonly anyOf: readonly ('Orders' | 'Products' | 'Customers')[];
  readonly access: 'read' | 'write';
}

/** `Orders or Products: Read`, as the spec writes it. */
export function permissionText(permission: Permission | null): string {
  if (permission === null) return 'not shown in the spec';
  return `${permission.anyOf.join(' or ')}: ${permission.access === 'read' ? 'Read' : 'Read & Write'}`;
}

/** One operation of the marketplace, from which the client, the `api` verb and the sandbox's routing are derived. */
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
  /** Below {base_url}/api/v2, with a leading and a trailing slash; `{name}` is a path parameter. */
  readonly path: string;
  /** `documented` when the spec shows method and path; `assumed` when the table holds a default that may be overridden. */
  readonly provenance: 'documented' | 'assumed';
  readonly permission: Permission | null;
  /** The section of the spec: "1, Endpoints, Orders". */
  readonly section: string;
  readonly pathParams: Path;
  readonly query: Query;
  /** null: the operation is sent without a payload. */
  readonly body: Body;
  /** The body goes out as multipart/form-data, its files (`wireFile`) as parts; JSON when left out. */
  readonly bodyEncoding?: 'multipart';
  /**
   * The answered entity; for a list, one row (`paging` tells the envelope of the rows). Answer schemas only check and never
   * transform: the entity is handed on as the server sent it, with every field. The answer of a write demands no more than the
   * caller needs, since the write is done even when its answer is thin.
   */
  readonly answer: Answer;
  readonly paging: Pages;
  /** Statuses the sandbox answers with and the client accepts besides any other 2xx. */
  readonly successStatus: number;
  /** May the same request be sent again when its answer was lost? `repeatable` writes set a state; `once` writes add one. */
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

/** Spec 1, List response envelope. Rows are parsed one by one, so that an invalid row does not hide the other rows. */
export const envelope = z.looseObject({
  count: z.int().min(0),
  next: z.string().nullish(),
  previous: z.string().nullish(),
  results: z.array(z.unknown()),
});
