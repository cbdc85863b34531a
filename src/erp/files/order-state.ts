import { z } from 'zod';
import { Decimal } from '../../domain/decimal.ts';
import { isBefore } from '../../domain/instant.ts';
import { decimal, identifier, known, text, time as timeText } from '../rows/rows.ts';

/** The order's body in the contract's form, with decimals as text. */
export interface OrderBody {
  readonly reference: string;
  readonly status: string;
  readonly lines: readonly OrderBodyLine[];
  readonly [field: string]: unknown;
}

export interface OrderBodyLine {
  readonly sku: string;
  readonly quantity: string;
  readonly [field: string]: unknown;
}

export interface Written {
  readonly body: OrderBody;
  /** The number of files written for the order. */
  readonly revision: number;
  readonly file: string;
  readonly outstanding: number;
  /** When the earliest of these was written, in epoch milliseconds of this machine. */
  readonly sinceMs: number;
  /** The order list's clock when the latest file was written. */
  readonly writtenAt: string;
  /** The file being written. `begun`: without its final name. `ready`: about to be renamed. */
  readonly pending: {
    readonly stage: 'begun' | 'ready';
    readonly body: OrderBody;
    readonly file: string;
    readonly temporary: string;
    readonly outstanding: number;
  } | null;
}

export interface ReportedState {
  readonly status?: string | undefined;
  readonly number?: string | undefined;
  readonly message?: string | undefined;
  readonly lines?: readonly ReportLine[] | undefined;
  readonly changedAt: string;
  /** When stock began to count the reservation; null: not yet. */
  readonly countedAsOf: string | null;
}

const decimalText = decimal.transform((value) => value.toFixed());

const reportLine = z.object({
  sku: identifier,
  quantity: known(decimalText),
  shipped: known(decimalText),
  given_up: known(decimalText),
});
type ReportLine = z.output<typeof reportLine>;

/** A row about one of our orders, from an acknowledgement or an order list. */
export const orderReportRow = z.object({
  reference: identifier,
  number: known(identifier),
  status: known(text),
  revision: known(
    z.union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ]),
  ),
  message: known(text),
  lines: known(z.array(reportLine)),
  changed_at: timeText,
  counted_as_of: known(timeText),
});
export type OrderReport = z.output<typeof orderReportRow>;

/** The ERP's status for a refused file. */
export const REFUSED = 'refused';

/** The order's state after a row of the ERP. A row older than the latest is ignored. */
export function withReport(
  written: Written,
  before: ReportedState | null,
  row: OrderReport,
): { written: Written; told: ReportedState } {
  if (before !== null && isBefore(row.changed_at, before.changedAt)) return { written, told: before };
  const refused = row.status === REFUSED;
  const outstanding = refused ? written.outstanding : outstandingAfter(written, row);
  const settled = outstanding === 0 && written.outstanding > 0;
  const counted = row.counted_as_of ?? (settled || before?.countedAsOf == null ? row.changed_at : before.countedAsOf);
  const told: ReportedState = {
    status: refused ? before?.status : (row.status ?? before?.status),
    number: row.number ?? before?.number,
    message: refused ? (row.message ?? 'no reason was given') : undefined,
    lines: row.lines ?? (settled ? undefined : before?.lines),
    changedAt: row.changed_at,
    countedAsOf: outstanding > 0 && !isFinal(row.status) ? (before?.countedAsOf ?? null) : counted,
  };
  return { written: { ...written, outstanding, pending: pendingAfter(written, outstanding) }, told };
}

/** The file being written, and the earlier unacknowledged ones. */
function pendingAfter({ outstanding, pending }: Written, left: number): Written['pending'] {
  return pending === null ? null : { ...pending, outstanding: Math.max(1, pending.outstanding - (outstanding - left)) };
}

/**
 * Unacknowledged files after a row of the ERP. A row tells it by revision or by line quantities; any other row
 * acknowledges one file.
 */
function outstandingAfter({ outstanding, revision, body }: Written, row: OrderReport): number {
  if (outstanding === 0) return 0;
  if (row.revision !== undefined) return Math.max(0, Math.min(outstanding, revision - row.revision));
  if (isFinal(row.status)) return row.status === 'cancelled' && body.status !== 'cancelled' ? outstanding - 1 : 0;
  // A live status does not acknowledge a cancellation.
  if (body.status === 'cancelled') return Math.max(1, outstanding - 1);
  const told = row.lines?.every(({ quantity }) => quantity !== undefined) === true ? row.lines : null;
  if (told !== null) return sameQuantities(told, body.lines) ? 0 : Math.max(1, outstanding - 1);
  return outstanding - 1;
}

const isFinal = (status: string | undefined): boolean => status === 'cancelled' || status === 'shipped';

function sameQuantities(told: readonly ReportLine[], lines: readonly OrderBodyLine[]): boolean {
  const show = (all: readonly { sku: string; quantity?: string | undefined }[]) =>
    JSON.stringify(all.map(({ sku, quantity = '' }) => `${new Decimal(quantity).toFixed()} ${sku}`).toSorted());
  return show(told) === show(lines);
}

/**
 * The order as a row of the contract. Before the latest file is acknowledged, the order is shown as written and
 * unfinished: stock does not count it, and only "shipped" or "cancelled" is believed of the ERP's earlier statements.
 */
export function orderRowOf(id: string, { body, outstanding, writtenAt }: Written, told: ReportedState | null): unknown {
  const over = told?.status !== undefined && isFinal(told.status);
  const finished = outstanding === 0 || (over && told.status === 'shipped');
  const status = told?.status !== undefined && (finished || over) ? told.status : body.status;
  const number = told?.number === undefined ? {} : { number: told.number };
  const counted = finished && told?.countedAsOf != null ? { counted_as_of: told.countedAsOf } : {};
  return {
    ...body,
    id,
    origin: 'marketplace',
    status,
    lines: body.lines.map((line) => withShipped(line, told, finished)),
    ...(finished ? {} : { finished: false }),
    ...counted,
    attributes: { ...number },
    changed_at: told !== null && finished ? told.changedAt : writtenAt,
  };
}

/** The line with the ERP's quantities for its SKU. They are ignored if several lines have the SKU. */
function withShipped(line: OrderBodyLine, told: ReportedState | null, finished: boolean): OrderBodyLine {
  const of = told?.lines?.filter(({ sku }) => sku === line.sku) ?? [];
  const [only] = of;
  if (only === undefined || of.length > 1) return line;
  const shipped = only.shipped === undefined ? {} : { shipped: only.shipped };
  const givenUp = only.given_up === undefined ? {} : { given_up: only.given_up };
  const quantity = finished && only.quantity !== undefined ? { quantity: only.quantity } : {};
  return { ...line, ...quantity, ...shipped, ...givenUp };
}
