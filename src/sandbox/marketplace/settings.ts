import { z } from 'zod';

const rate = z.strictObject({
  perSecond: z.int().min(1),
  perMinute: z.int().min(1),
  /** Whether a call that was answered with 429 uses up quota. */
  countRejected: z.boolean(),
  /** The window of the RateLimit-* headers: the one with the fewest calls left, or the minute. */
  headline: z.enum(['tightest', 'minute']),
});
export type RateSettings = Readonly<z.infer<typeof rate>>;

/** Every behaviour that the spec leaves open, with the default nearest to its text. All may change while the sandbox runs. */
export const settingsSchema = z.strictObject({
  sellerId: z.int(),
  brand: z.strictObject({ id: z.int(), name: z.string() }),
  versionHeader: z.string().min(1),
  /** The first version is used when the header is absent (spec 1, Versioning). */
  versions: z.array(z.string()).min(1),
  /** null switches the limits off. */
  rate: rate.nullable(),
  /** The answer to a key without the permission (spec 1, Authentication 5: not shown). */
  forbiddenStatus: z.union([z.literal(403), z.literal(404)]),
  trailingSlash: z.enum(['refuse', 'redirect']),
  /** The body of a refusal: `{field: ["message"]}`, or the whole text in `{"detail": "..."}`. */
  errorBody: z.enum(['fields', 'detail']),
  unknownFilter: z.enum(['refuse', 'ignore']),
  filters: z.enum(['honoured', 'ignored']),
  ordering: z.enum(['honoured', 'ignored']),
  /** The order of rows that are equal in the ordering attribute: by id, or different in each call. */
  ties: z.enum(['stable', 'shuffled']),
  archivedInList: z.enum(['excluded', 'included']),
  /** `archived=true` lists archived products only, or archived ones as well. */
  archivedFilter: z.enum(['only', 'also']),
  archiveAnswer: z.enum(['product', 'empty']),
  /** The answers in which orders carry line_items. Lists carry them for include_children=line_items only. */
  lineItemsIn: z.enum(['list', 'list-and-writes', 'everywhere']),
  /** Do orders show total, shipping_charge, tax_amount and delivery_address? */
  orderTotals: z.boolean(),
  stockFigures: z.enum(['number', 'string']),
  timesShown: z.enum(['micros', 'millis', 'seconds']),
  utcOffsetMinutes: z.int().min(-840).max(840),
  /** Whether what orders do to stock bumps the product's `modified`. */
  orderEffectsBumpProduct: z.enum(['never', 'quantity', 'always']),
  lineQuantityIn: z.enum(['units', 'cases']),
  /** The place of stock that has no facility: the only place of a brand that names no others. */
  implicitPlace: z.strictObject({ facility: z.int().min(1), batch: z.int().min(1) }),
  /** Facilities that inventory can be at; null takes any. */
  facilities: z.array(z.strictObject({ id: z.int().min(1), name: z.string() })).nullable(),
  /** How long an inventory command is queued. 0: the command settles at the next call of any kind. */
  commandDelayMs: z.int().min(0),
  /** The status of an inventory command that was carried out, and of one that was not (spec 2 shows only Pending). */
  commandWords: z.strictObject({ done: z.string().min(1), failed: z.string().min(1) }),
  /** Keys registered for external_ids; null takes any. */
  externalIdKeys: z.array(z.string()).nullable(),
  requiredProductFields: z.array(z.string()),
  /** Spec 1, Tax rule: percent on orders delivered to these states. */
  excise: z.strictObject({ percent: z.string().regex(/^\d+(\.\d+)?$/), states: z.array(z.string()) }),
  /** The statuses that this deployment spells differently: the documents' status -> this deployment's. */
  statusWords: z.record(z.string(), z.string().min(1)),
  /** The operations that this deployment has at another method or path. A parameter may move between path and query. */
  operations: z.record(
    z.string(),
    z.strictObject({ method: z.string(), path: z.string(), paging: z.enum(['page', 'offset']) }).partial(),
  ),
  /** Action -> the statuses it may start from and the one it leads to. */
  transitions: z.record(z.string(), z.strictObject({ from: z.array(z.string()), to: z.string() })),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;

/** Only fulfill (from Accepted) is documented (spec 1, Transitions); the others are what deployments are reported to take. */
const TRANSITIONS: Record<string, { from: string[]; to: string }> = {
  submit: { from: ['Draft'], to: 'Submitted' },
  accept: { from: ['Submitted', 'Backorder'], to: 'Accepted' },
  fulfill: { from: ['Accepted'], to: 'Fulfilled' },
  ship: { from: ['Fulfilled'], to: 'Shipped' },
  complete: { from: ['Shipped'], to: 'Complete' },
  reject: { from: ['Submitted', 'Accepted', 'Backorder', 'Fulfilled', 'Shipped'], to: 'Rejected' },
  cancel: { from: ['Draft', 'Submitted', 'Accepted', 'Backorder'], to: 'Canceled' },
};

export const DEFAULT_SETTINGS: Settings = {
  sellerId: 4711,
  brand: { id: 301, name: 'Juniper Ridge Botanicals' },
  versionHeader: 'Service-Version',
  versions: ['2022-10-31'],
  rate: { perSecond: 8, perMinute: 300, countRejected: false, headline: 'tightest' },
  forbiddenStatus: 403,
  trailingSlash: 'refuse',
  errorBody: 'fields',
  unknownFilter: 'refuse',
  filters: 'honoured',
  ordering: 'honoured',
  ties: 'stable',
  archivedInList: 'excluded',
  archivedFilter: 'only',
  archiveAnswer: 'product',
  lineItemsIn: 'list',
  orderTotals: true,
  stockFigures: 'number',
  timesShown: 'micros',
  utcOffsetMinutes: 0,
  orderEffectsBumpProduct: 'never',
  lineQuantityIn: 'units',
  implicitPlace: { facility: 1, batch: 1 },
  facilities: null,
  commandDelayMs: 0,
  commandWords: { done: 'Success', failed: 'Failed' },
  externalIdKeys: null,
  requiredProductFields: ['sku', 'name'],
  excise: { percent: '27', states: ['CA', 'California'] },
  statusWords: {},
  operations: {},
  transitions: TRANSITIONS,
};
