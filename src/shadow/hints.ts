import { parseJson } from '../http/json.ts';
import type { InboxRow } from '../store/reading.ts';

export type Entity = Readonly<Record<string, unknown>>;

const ORDER_NUMBER = /^[\w-]{1,64}$/;

/**
 * The entity of a webhook. The spec does not define the shape (field notes: `{action, type, data}`), so the body is
 * searched. null: unreadable.
 */
export function entityOf(body: Buffer): Entity | null {
  const parsed = parse(body);
  if (!isObject(parsed)) return null;
  return isObject(parsed['data']) ? parsed['data'] : parsed;
}

export function orderNumberOf(entity: Entity | null): string | null {
  const number = entity?.['number'];
  return typeof number === 'string' && ORDER_NUMBER.test(number) ? number : null;
}

export function productIdOf(entity: Entity | null): number | null {
  const id = entity?.['id'];
  return orderNumberOf(entity) === null && Number.isSafeInteger(id) ? Number(id) : null;
}

/** The order number or listing id in a webhook. null: none. */
export function entityNamed({
  kind,
  body,
}: {
  readonly kind: 'orders' | 'products';
  readonly body: Buffer;
}): string | null {
  const entity = entityOf(body);
  return kind === 'orders' ? orderNumberOf(entity) : (productIdOf(entity)?.toString() ?? null);
}

export function namedIn(delivery: InboxRow): Pick<InboxRow, 'id' | 'entity'> {
  return { id: delivery.id, entity: entityNamed(delivery) };
}

/** Numbers keep every digit. */
function parse(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
