import type { Decimal } from './decimal.ts';
import { decimalOf } from './decimal.ts';

const CENTS = 2;

function placesOf(currency: string | null): number {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return CENTS;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? CENTS;
}

/** A figure for people, with its thousands apart: `12,000.5`. */
export function groupedText(figure: Decimal | string): string {
  const [whole = '', ...rest] = (typeof figure === 'string' ? figure : figure.toFixed()).split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...rest].join('.');
}

/** The amount for people, with at least the fraction digits of its currency: `1,999.00`, or `1,200` in yen. */
export function amountText(amount: Decimal, currency: string | null): string {
  return groupedText(amount.toFixed(Math.max(placesOf(currency), amount.decimalPlaces())));
}

/** `1,027.93 USD` */
export function inCurrency(amount: Decimal, currency: string): string {
  return `${amountText(amount, currency)} ${currency}`;
}

/** `discount 3.00 USD, shipping 0.00 USD` */
export function amountsText(amounts: Readonly<Record<string, Decimal>>, currency: string): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${name} ${inCurrency(amount, currency)}`)
    .join(', ');
}

const MONEY = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})(| for a case of \d.*| a unit, .*)$/;
const LINES = /^(?:\w+: )?\d+(?:\.\d+)? x \S+ at /;
const PRICE_OF_LINE = / at (\d+(?:\.\d+)?)(?: ([A-Z]{3}))?(?=[,;]|$)/g;
const TOTAL = /; total (-?\d+(?:\.\d+)?) ([A-Z]{3})$/;

/**
 * The value of a write for people: `999 USD for a case of 12` becomes `999.00 USD for a case of 12`, and the prices of an order's
 * lines have its currency. Any other text is returned unchanged.
 */
export function moneyText(text: string): string {
  const [, amount, currency, rest] = MONEY.exec(text) ?? [];
  if (amount !== undefined && currency !== undefined) return `${inCurrency(decimalOf(amount), currency)}${rest}`;
  if (!LINES.test(text)) return text;
  const [, , ofOrder] = TOTAL.exec(text) ?? [];
  return text
    .replace(TOTAL, (_, total: string, of: string) => `; total ${inCurrency(decimalOf(total), of)}`)
    .replaceAll(PRICE_OF_LINE, (line: string, price: string, of: string | undefined = ofOrder) =>
      of === undefined ? line : ` at ${inCurrency(decimalOf(price), of)}`,
    );
}
