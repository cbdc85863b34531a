import type { Decimal } from './decimal.ts';
import { decimalOf } from './decimal.ts';

const CENTS = 2;

/** The places after the point with which people write an amount of this currency. */
function placesOf(currency: string | null): number {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return CENTS;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? CENTS;
}

/** An amount with the places of its currency, and with more only where it has more: `999.00`, or `1200` in yen. */
export function amountText(amount: Decimal, currency: string | null): string {
  return amount.toFixed(Math.max(placesOf(currency), amount.decimalPlaces()));
}

const MONEY = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/;

/** The same for a text: `999 USD` is `999.00 USD`. Any other text stays as it is. */
export function moneyText(text: string): string {
  const [, amount, currency] = MONEY.exec(text) ?? [];
  return amount === undefined || currency === undefined
    ? text
    : `${amountText(decimalOf(amount), currency)} ${currency}`;
}
