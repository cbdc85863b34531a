/**
 * What a webhook's body hints at: order numbers and product ids, wherever the body says them. Its shape is not shown in
 * the spec (field notes: `{action, type, data}`), so it is looked through; a hint only says where to look.
 */
export function hintsOf(body: Buffer): { readonly orders: readonly string[]; readonly products: readonly number[] } {
  const orders = new Set<string>();
  const products = new Set<number>();
  const entity = entityOf(body);
  if (entity !== null) {
    const number = entity['number'];
    if (typeof number === 'string' && ORDER_NUMBER.test(number)) orders.add(number);
    else if (typeof entity['id'] === 'number' && Number.isSafeInteger(entity['id'])) products.add(entity['id']);
  }
  return { orders: [...orders], products: [...products] };
}

const ORDER_NUMBER = /^[\w-]{1,64}$/;

function entityOf(body: Buffer): Record<string, unknown> | null {
  const parsed = parse(body);
  if (!isObject(parsed)) return null;
  return isObject(parsed['data']) ? parsed['data'] : parsed;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
