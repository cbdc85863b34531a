import { z } from 'zod';
import { RECORD_KINDS } from '../../marketplace/operations/record-names.ts';

const rate = z.strictObject({
  perSecond: z.int().min(1),
  perMinute: z.int().min(1),
  /** Whether a call that was answered with 429 uses up quota. */
  countRejected: z.boolean(),
  /** The window of the RateLimit-* headers: the one with the fewest calls left, or the minute. */
  headline: z.enum(['tightest', 'minute']),
});
export type RateSettings = Readonly<z.infer<typeof rate>>;

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

/** Every behaviour that the spec leaves open, with the default nearest to its text. All may change while the sandbox runs. */
export const settingsSchema = z.strictObject({
  sellerId: z.int().default(4711),
  brand: z.strictObject({ id: z.int(), name: z.string() }).default({ id: 301, name: 'Juniper Ridge Botanicals' }),
  versionHeader: z.string().min(1).default('Service-Version'),
  /** The first version is used when the header is absent (spec 1, Versioning). */
  versions: z.array(z.string()).min(1).default(['2022-10-31']),
  /** null switches the limits off. */
  rate: rate.nullable().default({ perSecond: 8, perMinute: 300, countRejected: false, headline: 'tightest' }),
  /** The answer to a key without the permission (spec 1, Authentication 5: not shown). */
  forbiddenStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  trailingSlash: z.enum(['refuse', 'redirect']).default('refuse'),
  /** The body of a refusal: `{field: ["message"]}`, or the whole text in `{"detail": "..."}`. */
  errorBody: z.enum(['fields', 'detail']).default('fields'),
  unknownFilter: z.enum(['refuse', 'ignore']).default('refuse'),
  filters: z.enum(['honoured', 'ignored']).default('honoured'),
  ordering: z.enum(['honoured', 'ignored']).default('honoured'),
  /** The order of rows that are equal in the ordering attribute: by id, or different in each call. */
  ties: z.enum(['stable', 'shuffled']).default('stable'),
  archivedInList: z.enum(['excluded', 'included']).default('excluded'),
  /** `archived=true` lists archived products only, or archived ones as well. */
  archivedFilter: z.enum(['only', 'also']).default('only'),
  archiveAnswer: z.enum(['product', 'empty']).default('product'),
  /** The answers in which orders carry line_items. Lists carry them for include_children=line_items only. */
  lineItemsIn: z.enum(['list', 'list-and-writes', 'everywhere']).default('list'),
  /** The places that this deployment has for fields of records: `{ order: { shipping_charge: 'totals.freight' } }`. */
  fieldNames: z.partialRecord(z.enum(RECORD_KINDS), z.record(z.string(), z.string())).default({}),
  /** Do orders show total, shipping_charge, tax_amount and delivery_address? */
  orderTotals: z.boolean().default(true),
  stockFigures: z.enum(['number', 'string']).default('number'),
  timesShown: z.enum(['micros', 'millis', 'seconds']).default('micros'),
  utcOffsetMinutes: z.int().min(-840).max(840).default(0),
  /** Whether what orders do to stock bumps the product's `modified`. */
  orderEffectsBumpProduct: z.enum(['never', 'quantity', 'always']).default('never'),
  lineQuantityIn: z.enum(['units', 'cases']).default('units'),
  /** As order lines count unless set. */
  stockIn: z.enum(['units', 'cases']).optional(),
  pricePer: z.enum(['case', 'unit']).default('case'),
  /** The place of stock that has no facility: the only place of a brand that names no others. */
  implicitPlace: z.strictObject({ facility: z.int().min(1), batch: z.int().min(1) }).default({ facility: 1, batch: 1 }),
  /** Facilities that inventory can be at; null takes any. */
  facilities: z
    .array(z.strictObject({ id: z.int().min(1), name: z.string() }))
    .nullable()
    .default(null),
  /** How long an inventory command is queued. 0: the command settles at the next call of any kind. */
  commandDelayMs: z.int().min(0).default(0),
  /** The status of an inventory command that was carried out, and of one that was not (spec 2 shows only Pending). */
  commandWords: z
    .strictObject({ done: z.string().min(1), failed: z.string().min(1) })
    .default({ done: 'Success', failed: 'Failed' }),
  /** Keys registered for external_ids; null takes any. */
  externalIdKeys: z.array(z.string()).nullable().default(null),
  requiredProductFields: z.array(z.string()).default(['sku', 'name']),
  /** Spec 1, Tax rule: percent on orders delivered to these states. */
  excise: z
    .strictObject({ percent: z.string().regex(/^\d+(\.\d+)?$/), states: z.array(z.string()) })
    .default({ percent: '27', states: ['CA', 'California'] }),
  /** Words of this deployment, by record, field and usual word: `{ order: { status: { Canceled: 'Void' } } }`. */
  words: z
    .partialRecord(z.enum(RECORD_KINDS), z.record(z.string(), z.record(z.string(), z.string().min(1))))
    .default({}),
  /** The operations that this deployment has at another method or path. A parameter may move between path and query. */
  operations: z
    .record(
      z.string(),
      z
        .strictObject({
          method: z.string(),
          path: z.string(),
          paging: z.enum(['page', 'offset']),
          arrays: z.enum(['repeated', 'commas']),
        })
        .partial(),
    )
    .default({}),
  /** The path of the operations of the second document, which shows none. */
  referencePrefix: z.string().default('/api/v2'),
  /** Action -> the statuses it may start from and the one it leads to. */
  transitions: z.record(z.string(), z.strictObject({ from: z.array(z.string()), to: z.string() })).default(TRANSITIONS),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

/** The settings that a body names, without the defaults of the others. @throws ZodError */
export function settingsChange(body: unknown): Partial<Settings> {
  const settings = settingsSchema.partial().parse(body);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(body as object, name)));
}
