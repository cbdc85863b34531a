/** The side whose turn it is; `nobody`: it ends by itself. */
export type Turn = 'erp' | 'marketplace' | 'operator' | 'nobody';

/** Topics of the guide. */
export type Page =
  | 'products'
  | 'images'
  | 'stock'
  | 'facility-stock'
  | 'orders'
  | 'customers'
  | 'payments'
  | 'brakes'
  | 'strategies'
  | 'running'
  | 'reading'
  | 'webhooks'
  | 'failures'
  | 'upgrade';

/** A cause that stands in the parameters of another one. */
export interface AnyCause {
  readonly code: string;
  readonly params: object;
}

export type Tell = (cause: AnyCause) => string;

/** The texts of one code. */
interface Said<Params> {
  readonly turn: Turn;
  /** One sentence without its full stop, so that several can follow each other. */
  readonly text: (params: Params, tell: Tell) => string;
  /** The next step, for a person: whole sentences. */
  readonly next: string | ((params: NoInfer<Params>) => string);
  /** As the guide shows it. */
  readonly example: NoInfer<Params>;
}

export interface Entry<Params> extends Said<Params> {
  readonly page: Page;
}

/** Codes that one page of the guide explains. */
export function on<Params>(
  page: Page,
  said: { readonly [Code in keyof Params]: Said<Params[Code]> },
): { readonly [Code in keyof Params]: Entry<Params[Code]> } {
  const entries = Object.entries(said as Readonly<Record<string, object>>).map(([code, one]) => [
    code,
    { ...one, page },
  ]);
  return Object.fromEntries(entries) as { readonly [Code in keyof Params]: Entry<Params[Code]> };
}
