import type { Side } from '../failure.ts';

/** The side that has to act next. `nobody`: the state ends by itself. */
export type Turn = 'erp' | 'marketplace' | 'operator' | 'nobody';

/** Topics of the guide. */
export type Page =
  | 'products'
  | 'images'
  | 'stock'
  | 'facility-stock'
  | 'orders'
  | 'approvals'
  | 'transports'
  | 'customers'
  | 'assignments'
  | 'payments'
  | 'brakes'
  | 'strategies'
  | 'going-live'
  | 'reading'
  | 'webhooks'
  | 'files'
  | 'failures'
  | 'configuration'
  | 'upgrade';

/** A cause that stands in the parameters of another one. */
export interface AnyCause {
  readonly code: string;
  readonly params: object;
}

export type Tell = (cause: AnyCause) => string;

/** One code of the table. */
export interface Entry<Params> {
  readonly page: Page;
  readonly turn: Turn;
  /** One sentence without its full stop, so that several can follow each other. */
  readonly text: string | ((params: Params, tell: Tell) => string);
  /** The next step, for a person: whole sentences. */
  readonly next: string | ((params: Params) => string);
  /** The parameters as the guide shows them. */
  readonly example: Params;
  /**
   * The thing that the cases share: a setting, a side, a list. `params` name it; without any, all cases of the code share one thing. `side` is
   * the side that it is. null: the cause of a case is the entity itself.
   */
  readonly shared: { readonly params: readonly string[]; readonly side: Side | null } | null;
  /** The order goes on, with other content on one side than on the other. */
  readonly differs?: true;
}

type Row<Params> = Omit<Entry<Params>, 'page'>;

/** Codes that one page of the guide explains. */
export function on<Params>(
  page: Page,
  rows: { readonly [Code in keyof Params]: Row<Params[Code]> },
): { readonly [Code in keyof Params]: Entry<Params[Code]> } {
  const entries = Object.entries(rows as Readonly<Record<string, object>>).map(([code, row]) => [
    code,
    { ...row, page },
  ]);
  return Object.fromEntries(entries) as { readonly [Code in keyof Params]: Entry<Params[Code]> };
}

/** A row in which this side has to act: the sentence, the next step, and an example, which gives the parameters their types. */
const rowOf =
  (turn: Turn) =>
  <Params extends object>(
    text: Entry<Params>['text'],
    next: Entry<Params>['next'],
    example: Params = {} as Params,
  ): Row<Params> => ({ turn, text, next, example, shared: null });

export const erp = rowOf('erp');
export const marketplace = rowOf('marketplace');
export const operator = rowOf('operator');
export const nobody = rowOf('nobody');

type TextOf<Params> = { [Name in keyof Params]: Params[Name] extends string ? Name : never }[keyof Params] & string;

/** A row whose cause is shared by its cases. These parameters name what they share, and have few values. */
export function sharing<Params>(
  params: readonly TextOf<NoInfer<Params>>[],
  row: Row<Params>,
  side: Side | null = null,
): Row<Params> {
  return { ...row, shared: { params, side } };
}

/** A row for an order that goes on although its two sides differ. */
export function differing<Params>(row: Row<Params>): Row<Params> {
  return { ...row, differs: true };
}

/**
 * A row for an entity of the ERP that does not fit the contract.
 * @param example a problem, as the guide shows it
 */
export const invalidErpRow = (entity: string, example: string): Row<{ readonly problem: string }> =>
  erp(
    ({ problem }) => `The ERP's ${entity} does not fit the contract: ${problem}`,
    `Correct the ${entity} in the ERP, or the ERP's answer.`,
    { problem: example },
  );

/** A parameter that is null at times, in an example. */
export function orNull<Value>(value: Value | null): Value | null {
  return value;
}
