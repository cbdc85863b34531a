import type { Request } from './sides.ts';

interface Sent {
  readonly lines?: readonly { readonly sku: string; readonly quantity: string; readonly unit_price: string }[];
  readonly discount?: string;
  readonly shipping?: string;
  readonly total?: string;
}

export function isOrder({ target }: Pick<Request, 'target'>): boolean {
  return /^\/v1\/orders(?:\/|$)/.test(target);
}

/** No order that is beyond the limits of business is entered in the ERP, or changed into one. */
export function judgeLimits({ method, target, body }: Request, broken: string[]): void {
  const { lines, discount = '0', shipping = '0', total = '0' } = JSON.parse(body) as Sent;
  const problems = [
    ...(lines?.length === 0 && method === 'POST' ? ['no lines'] : []),
    ...(lines ?? []).flatMap(({ sku, quantity, unit_price: price }) => [
      ...(Number(quantity) > 0 ? [] : [`${quantity} of ${sku}`]),
      ...(Number(price) >= 0 ? [] : [`${sku} at ${price}`]),
    ]),
    ...Object.entries({ discount, shipping, total }).flatMap(([name, amount]) =>
      Number(amount) >= 0 ? [] : [`a ${name} of ${amount}`],
    ),
  ];
  if (problems.length > 0) broken.push(`limits: ${method} ${target} has ${problems.join(', ')}`);
}
