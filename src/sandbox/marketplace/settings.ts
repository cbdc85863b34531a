import { z } from 'zod';
import { RECORD_KINDS } from '../../marketplace/operations/record-names.ts';

const rate = z.strictObject({
  perSecond: z.int().min(1),
  perMinute: z.int().min(1),
  /** Whether a 429 answer uses quota. */
  countRejected: z.boolean(),
  /** The window in RateLimit-* headers: the tightest, or the minute. */
  headline: z.enum(['tightest', 'minute']),
});
export type RateSettings = Readonly<z.infer<typeof rate>>;

/** Only fulfill (from Accepted) is documented (spec 1, Transitions); deployments are reported to accept the others. */
const TRANSITIONS: Record<string, { from: string[]; to: string }> = {
  submit: { from: ['Draft'], to: 'Submitted' },
  accept: { from: ['Submitted', 'Backorder'], to: 'Accepted' },
  fulfill: { from: ['Accepted'], to: 'Fulfilled' },
  ship: { from: ['Fulfilled'], to: 'Shipped' },
  complete: { from: ['Shipped'], to: 'Complete' },
  reject: { from: ['Submitted', 'Accepted', 'Backorder', 'Fulfilled', 'Shipped'], to: 'Rejected' },
  cancel: { from: ['Draft', 'Submitted', 'Accepted', 'Backorder'], to: 'Canceled' },
};

/** Behaviour that the spec leaves open, by default closest to its text. All can change at run time. */
export const settingsSchema = z.strictObject({
  sellerId: z.int().default(4711),
  brand: z.strictObject({ id: z.int(), name: z.string() }).default({ id: 301, name: 'Juniper Ridge Botanicals' }),
  versionHeader: z.string().min(1).default('Service-Version'),
  /** The first is the default without the header (spec 1, Versioning). */
  versions: z.array(z.string()).min(1).default(['2022-10-31']),
  /** null: no limits. */
  rate: rate.nullable().default({ perSecond: 8, perMinute: 300, countRejected: false, headline: 'tightest' }),
  /** For a key without the permission (spec 1, Authentication 5: not shown). */
  forbiddenStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  trailingSlash: z.enum(['refuse', 'redirect']).default('refuse'),
  /** `{field: ["message"]}`, or all text in `{"detail": "..."}`. */
  errorBody: z.enum(['fields', 'detail']).default('fields'),
  unknownFilter: z.enum(['refuse', 'ignore']).default('refuse'),
  filters: z.enum(['honoured', 'ignored']).default('honoured'),
  ordering: z.enum(['honoured', 'ignored']).default('honoured'),
  /** How ties are sorted: by id, or differently each call. */
  ties: z.enum(['stable', 'shuffled']).default('stable'),
  archivedInList: z.enum(['excluded', 'included']).default('excluded'),
  /** What `archived=true` lists: only archived products, or also. */
  archivedFilter: z.enum(['only', 'also']).default('only'),
  archiveAnswer: z.enum(['product', 'empty']).default('product'),
  /** Which answers have line_items. Lists have them only with include_children=line_items. */
  lineItemsIn: z.enum(['list', 'list-and-writes', 'everywhere']).default('list'),
  /** The deployment's field names: `{ order: { shipping_charge: 'totals.freight' } }`. */
  fieldNames: z.partialRecord(z.enum(RECORD_KINDS), z.record(z.string(), z.string())).default({}),
  /** Whether orders show total, shipping_charge, tax_amount and delivery_address. */
  orderTotals: z.boolean().default(true),
  stockFigures: z.enum(['number', 'string']).default('number'),
  timesShown: z.enum(['micros', 'millis', 'seconds']).default('micros'),
  utcOffsetMinutes: z.int().min(-840).max(840).default(0),
  /** When an order's stock effect changes the product's `modified`. */
  orderEffectsBumpProduct: z.enum(['never', 'quantity', 'always']).default('never'),
  lineQuantityIn: z.enum(['units', 'cases']).default('units'),
  /** By default as order lines. */
  stockIn: z.enum(['units', 'cases']).optional(),
  pricePer: z.enum(['case', 'unit']).default('case'),
  /** Where stock without a facility is. */
  implicitPlace: z.strictObject({ facility: z.int().min(1), batch: z.int().min(1) }).default({ facility: 1, batch: 1 }),
  /** null: any. */
  facilities: z
    .array(z.strictObject({ id: z.int().min(1), name: z.string() }))
    .nullable()
    .default(null),
  /** 0: applied at the next call. */
  commandDelayMs: z.int().min(0).default(0),
  /** The words for success and failure (spec 2 shows only Pending). */
  commandWords: z
    .strictObject({ done: z.string().min(1), failed: z.string().min(1) })
    .default({ done: 'Success', failed: 'Failed' }),
  /** null: any. */
  externalIdKeys: z.array(z.string()).nullable().default(null),
  requiredProductFields: z.array(z.string()).default(['sku', 'name']),
  /** Spec 1, Tax rule: percent on orders to these states. */
  excise: z
    .strictObject({ percent: z.string().regex(/^\d+(\.\d+)?$/), states: z.array(z.string()) })
    .default({ percent: '27', states: ['CA', 'California'] }),
  /** The deployment's words: `{ order: { status: { Canceled: 'Void' } } }`. */
  words: z
    .partialRecord(z.enum(RECORD_KINDS), z.record(z.string(), z.record(z.string(), z.string().min(1))))
    .default({}),
  /** Operations at another method or path. A parameter may move between path and query. */
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
  /** The base path of the second document, which names none. */
  referencePrefix: z.string().default('/api/v2'),
  /** Action -> its allowed statuses and its result. */
  transitions: z.record(z.string(), z.strictObject({ from: z.array(z.string()), to: z.string() })).default(TRANSITIONS),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

/** Only the named settings, without defaults. @throws ZodError */
export function settingsChange(body: unknown): Partial<Settings> {
  const settings = settingsSchema.partial().parse(body);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(body as object, name)));
}
