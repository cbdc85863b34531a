import { counted } from '../domain/counted.ts';
import { amountText } from '../domain/money-text.ts';
import type { Store } from '../store/store.ts';
import type { WorkKey } from '../store/work.ts';
import { isKeyedByErp, kindNamed } from './entity.ts';

type Records = Pick<Store, 'customers' | 'erp' | 'orders' | 'products'>;

/** How people recognise an entity besides its number: by the product, or the customer. */
export async function entityLabel(store: Records, { account, flow, key }: WorkKey): Promise<string> {
  const kind = kindNamed(flow);
  if (kind === 'product') {
    const found = isKeyedByErp(flow)
      ? await store.erp.product(account, key)
      : await store.products.get(account, Number(key));
    return found?.name ?? '';
  }
  if (kind === 'customer') {
    const found = isKeyedByErp(flow)
      ? await store.erp.customer(account, key)
      : await store.customers.get(account, Number(key));
    return found?.name ?? '';
  }
  if (kind !== 'order' || isKeyedByErp(flow)) return '';
  const found = await store.orders.get(account, key);
  if (found === null) return '';
  const { order, lines } = found;
  const currency = lines?.[0]?.orderedUnitPrice.currency ?? null;
  const total = order.total === null ? null : [amountText(order.total, currency), currency].filter(Boolean).join(' ');
  const parts = [order.customer.name, total, lines === null ? null : counted(lines.length, 'line')];
  return parts.filter((part) => part !== null).join(', ');
}
