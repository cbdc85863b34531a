import type { Decimal } from './decimal.ts';
import { decimalOf } from './decimal.ts';

const CENTS = 2;

function placesOf(currency: string | null): number {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return CENTS;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? CENTS;
}

/** The amount with at least the fraction digits of its currency: `999.00`, or `1200` in yen. */
export function amountText(amount: Decimal, currency: string | null): string {
  return amount.toFixed(Math.max(placesOf(currency), amount.decimalPlaces()));
}

const MONEY = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/;

/** `999 USD` becomes `999.00 USD`. Any other text is returned unchanged. */
export function moneyText(text: string): string {
  const [, amount, currency] = MONEY.exec(text) ?? [];
  return amount === undefined || currency === undefined
    ? text
    : `${amountText(decimalOf(amount), currency)} ${currency}`;
}
