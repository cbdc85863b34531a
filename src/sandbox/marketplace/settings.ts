import type { TransitionRules } from './transitions.ts';
import { TRANSITIONS } from './transitions.ts';

/** Every behaviour the spec leaves open, with the default nearest to its text. All may be changed while it runs. */
export interface Settings {
  readonly sellerId: number;
  readonly versionHeader: string;
  /** The first is used when the header is absent (spec 1, Versioning). */
  readonly versions: readonly string[];
  /** null switches the limits off. */
  readonly rate: RateSettings | null;
  /** What a key without the permission gets (spec 1, Authentication 5: not shown). */
  readonly forbiddenStatus: 403 | 404;
  readonly trailingSlash: 'refuse' | 'redirect';
  readonly errorBody: 'fields' | 'detail';
  readonly unknownFilter: 'refuse' | 'ignore';
  readonly filters: 'honoured' | 'ignored';
  readonly ordering: 'honoured' | 'ignored';
  /** Rows that are equal in the ordering attribute: by id, or in another order with each call. */
  readonly ties: 'stable' | 'shuffled';
  readonly archivedInList: 'excluded' | 'included';
  /** `archived=true` lists archived products only, or archived ones as well. */
  readonly archivedFilter: 'only' | 'also';
  readonly archiveAnswer: 'product' | 'empty';
  /** Where orders carry line_items; in lists always on include_children=line_items only. */
  readonly lineItemsIn: 'list' | 'list-and-writes' | 'everywhere';
  /** Whether orders tell total, shipping_charge, tax_amount and delivery_address. */
  readonly orderTotals: boolean;
  readonly stockFigures: 'number' | 'string';
  readonly timesShown: 'micros' | 'millis' | 'seconds';
  readonly utcOffsetMinutes: number;
  /** Whether what orders do to stock bumps the product's `modified`. */
  readonly orderEffectsBumpProduct: 'never' | 'quantity' | 'always';
  readonly lineQuantityIn: 'units' | 'cases';
  /** Keys registered for external_ids; null takes any. */
  readonly externalIdKeys: readonly string[] | null;
  readonly requiredProductFields: readonly string[];
  readonly excise: { readonly percent: string; readonly states: readonly string[] };
  readonly transitions: TransitionRules;
}

export interface RateSettings {
  readonly perSecond: number;
  readonly perMinute: number;
  readonly countRejected: boolean;
  /** Which window the RateLimit-* headers tell of: the one with fewest calls left, or the minute. */
  readonly headline: 'tightest' | 'minute';
}

export const DEFAULT_SETTINGS: Settings = {
  sellerId: 4711,
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
  externalIdKeys: null,
  requiredProductFields: ['sku', 'name'],
  excise: { percent: '27', states: ['CA', 'California'] },
  transitions: TRANSITIONS,
};
