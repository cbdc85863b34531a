import { decimalText, rawNumber } from '../../http/json.ts';
import { Exact } from '../exact.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** At most `places` decimals. @throws Refusal 400 otherwise */
export function readDecimal(field: string, value: unknown, limits: { places: number; min?: number }): Exact {
  const text = decimalText(value);
  if (text === null || !/^-?\d{1,12}(\.\d+)?$/.test(text)) throw invalid(field, 'A valid number is required.');
  const decimal = new Exact(text);
  if (decimal.decimalPlaces() > limits.places) {
    throw invalid(field, `Ensure that there are no more than ${limits.places} decimal places.`);
  }
  if (limits.min !== undefined && decimal.lessThan(limits.min)) {
    throw invalid(field, `Ensure this value is greater than or equal to ${limits.min}.`);
  }
  return decimal;
}

export function readMoney(field: string, value: unknown): Money {
  const money = value as { amount?: unknown; currency?: unknown } | null;
  if (money === null || typeof money !== 'object' || typeof money.currency !== 'string') {
    throw invalid(field, 'Expected {amount, currency}.');
  }
  return { amount: readDecimal(field, money.amount, { places: 4, min: 0 }).toFixed(), currency: money.currency };
}

/** The amount is a number with at least two decimals. */
export function moneyJson(money: Money): unknown {
  const amount = new Exact(money.amount);
  return { amount: rawNumber(amount.toFixed(Math.max(2, amount.decimalPlaces()))), currency: money.currency };
}

export function numberJson(decimal: Exact): unknown {
  return rawNumber(decimal.toFixed());
}

/** Merges values and JSON texts of objects into one object. */
export function joinObjects(...parts: readonly (string | Fields)[]): string {
  const members = parts
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)).slice(1, -1))
    .filter((inner) => inner !== '');
  return `{${members.join(',')}}`;
}

export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** A refusal: an HTTP status and body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** `{"detail": "..."}` for the whole call. */
export function refuse(status: number, detail: string): Refusal {
  return new Refusal(status, { detail });
}

/** 400 `{field: ["message"]}`. */
export function invalid(field: string, message: string): Refusal {
  return new Refusal(400, { [field]: [message] });
}
