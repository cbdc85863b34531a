import type { StatedCapabilities } from '../erp/capabilities.ts';
import type { Path } from './path.ts';
import type { AccountFile } from './schema.ts';

/** A setting that needs a capability which the ERP, by its own section, lacks. */
export interface Missing {
  readonly path: Path;
  readonly effect: string;
  readonly capability: string;
}

export function withoutMissing(
  file: AccountFile,
  { customers, payments, products, transports, approvals, lots }: StatedCapabilities,
): { readonly file: AccountFile; readonly missing: readonly Missing[] } {
  const missing: Missing[] = [];
  const without = { ...file, orders: { ...file.orders } };
  const lacks = (path: Path, capability: string, effect: string): void => {
    missing.push({ path, effect, capability: `capabilities.${capability}` });
  };
  if (customers !== undefined && customers !== 'write') {
    const capability = `customers: ${customers}`;
    if (file.orders.on_unmapped_customer === 'create') {
      const instead = customers === 'none' ? 'pass' : 'hold';
      const effect = instead === 'pass' ? 'orders pass the name only' : 'such orders are held';
      lacks(['orders', 'on_unmapped_customer'], capability, `no customer can be created there, so ${effect}`);
      without.orders.on_unmapped_customer = instead;
    }
    if (customers === 'none' && file.customers !== undefined) {
      lacks(['customers'], capability, 'no customer is kept in step');
      without.customers = undefined;
    } else if (file.customers?.to_erp === true) {
      lacks(['customers', 'to_erp'], capability, 'no customer is created there');
      without.customers = { ...file.customers, to_erp: false };
    }
  }
  if (payments === 'none' && file.payments !== undefined) {
    lacks(['payments'], 'payments: none', 'no payment is carried over');
    without.payments = undefined;
  } else if (payments === 'read' && file.payments?.to_erp === true) {
    lacks(['payments', 'to_erp'], 'payments: read', 'no payment is recorded there');
    without.payments = { ...file.payments, to_erp: false };
  }
  if (products === false && file.orders.on_unmapped_product === 'create') {
    const effect = 'no product can be made there, so such orders are held';
    lacks(['orders', 'on_unmapped_product'], 'products: false', effect);
    without.orders.on_unmapped_product = 'hold';
  }
  if (transports === false && file.orders.transports !== 'off') {
    lacks(['orders', 'transports'], 'transports: false', 'it is not told of transports');
    without.orders.transports = 'off';
  }
  if (approvals === false && file.orders.approvals !== 'off') {
    lacks(['orders', 'approvals'], 'approvals: false', 'no verdict is sent');
    without.orders.approvals = 'off';
  }
  if (lots === false && file.facilities?.batches !== undefined) {
    lacks(['facilities', 'batches'], 'lots: false', 'no batch is made of its lots');
    without.facilities = { ...file.facilities, batches: undefined };
  }
  return { file: without, missing };
}
