import type { Side } from '../failure.ts';

/** The side that has to act next. `nobody`: the state ends without an action. */
export type Turn = 'erp' | 'marketplace' | 'operator' | 'nobody';

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

/** A cause of any code, for example as a parameter of another cause. */
export interface AnyCause {
  readonly code: string;
  readonly params: object;
}

export type Tell = (cause: AnyCause) => string;

export interface Entry<Params> {
  readonly page: Page;
  readonly turn: Turn;
  /** One sentence without its full stop, so that sentences can be joined. */
  readonly text: string | ((params: Params, tell: Tell) => string);
  /** The next step for a person, in full sentences. */
  readonly next: string | ((params: Params) => string);
  readonly example: Params;
  /**
   * How cases of this code are grouped: by equal values of `params`, or all in one group if `params` is empty. `side`
   * is the side that causes them. null: cases are not grouped.
   */
  readonly shared: { readonly params: readonly string[]; readonly side: Side | null } | null;
  readonly differs?: true;
}

type Row<Params> = Omit<Entry<Params>, 'page'>;

export function entriesOn<Params>(
  page: Page,
  rows: { readonly [Code in keyof Params]: Row<Params[Code]> },
): { readonly [Code in keyof Params]: Entry<Params[Code]> } {
  const entries = Object.entries(rows as Readonly<Record<string, object>>).map(([code, row]) => [
    code,
    { ...row, page },
  ]);
  return Object.fromEntries(entries) as { readonly [Code in keyof Params]: Entry<Params[Code]> };
}

/** Returns a constructor of rows for the side that has to act. The example gives the parameters their types. */
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

/** These parameters must have few values. */
export function withSharedParams<Params>(
  params: readonly TextOf<NoInfer<Params>>[],
  row: Row<Params>,
  side: Side | null = null,
): Row<Params> {
  return { ...row, shared: { params, side } };
}

export function withDifference<Params>(row: Row<Params>): Row<Params> {
  return { ...row, differs: true };
}

/**
 * An ERP entity that does not fit the contract.
 * @param example a problem, as the guide shows it
 */
export const invalidErpRow = (entity: string, example: string): Row<{ readonly problem: string }> =>
  erp(
    ({ problem }) => `The ERP's ${entity} does not fit the contract: ${problem}`,
    `Correct the ${entity} in the ERP, or the ERP's answer.`,
    { problem: example },
  );

/** Gives an example parameter the type `Value | null`. */
export function orNull<Value>(value: Value | null): Value | null {
  return value;
}
