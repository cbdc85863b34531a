import { decimalText, rawNumber } from '../../http/json.ts';
import { Exact } from '../exact.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** A decimal of a request, with at most `places` digits after the point. @throws Refusal 400 for anything else */
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

/** Money on the wire: the amount as a number with at least two fractional digits. */
export function moneyJson(money: Money): unknown {
  const amount = new Exact(money.amount);
  return { amount: rawNumber(amount.toFixed(Math.max(2, amount.decimalPlaces()))), currency: money.currency };
}

export function numberJson(decimal: Exact): unknown {
  return rawNumber(decimal.toFixed());
}

/** Joins members to one JSON object. A member is a value, or the JSON text of an object whose members are taken over. */
export function joinObjects(...parts: readonly (string | Fields)[]): string {
  const members = parts
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)).slice(1, -1))
    .filter((inner) => inner !== '');
  return `{${members.join(',')}}`;
}

export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** A refusal by the marketplace: an HTTP status and the body of the answer. */
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

/** `{"detail": "..."}`: refuses the call as a whole. */
export function refuse(status: number, detail: string): Refusal {
  return new Refusal(status, { detail });
}

/** 400 `{field: ["message"]}`. */
export function invalid(field: string, message: string): Refusal {
  return new Refusal(400, { [field]: [message] });
}
