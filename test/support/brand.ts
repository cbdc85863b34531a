/** A brand whose two sides are in the sandbox. */
export interface Brand {
  readonly name: string;
  readonly marketplaceUrl: string;
  readonly key: string;
  readonly erpUrl: string;
  readonly token: string;
  /** The secret of the brand's webhooks. */
  readonly secret: string;
}

export interface BrandSettings {
  /** `15s`: how often the marketplace is read, beside its webhooks. */
  readonly poll: string;
  readonly erpPoll: string;
  readonly perSecond: number;
  readonly perMinute: number;
}

/** Its section of `accounts`. */
export function accountSection(brand: Brand, settings: BrandSettings): string {
  return `\n  ${brand.name}:${accountText(brand, settings).replaceAll(/^/gm, '    ')}`;
}

/** The brand's file in the folder of `accounts_from`. */
export function accountText(brand: Brand, { poll, erpPoll, perSecond, perMinute }: BrandSettings): string {
  return `
marketplace:
  base_url: ${brand.marketplaceUrl}
  auth: { scheme: app, key: ${brand.key} }
  seller_id: 4711
  poll: { orders: ${poll}, products: ${poll}, overlap: 2m }
  limits: { per_second: ${perSecond}, per_minute: ${perMinute} }
  webhooks: { secret: ${brand.secret} }
erp: { type: http, url: "${brand.erpUrl}", token: ${brand.token}, poll: ${erpPoll} }
inventory: { strategy: b, buffer: 0 }
orders: { export_from: 2000-01-01T00:00:00Z }
brakes: { create: { count: 1000, percent: 10000 }, zero: { count: 1000, percent: 10000 } }`;
}
