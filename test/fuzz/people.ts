import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts that no log may contain. */
export const SECRETS = ['a-marketplace-key-of-the-fuzz', 'an-erp-token-of-the-fuzz'] as const;
export const PERSON = {
  name: 'Canaria Vogelsang',
  phone: '555-010-4711',
  email: 'canaria@vogelsang.example',
  license_number: 'LIC-CANARY-7734',
} as const;
export const ADDRESS = { address: '17 Canary Row', city: 'Canaryville', state: 'OR', zipcode: '97299-0815' };
export const TEXTS: readonly string[] = [...Object.values(PERSON), ADDRESS.address, ADDRESS.city, ADDRESS.zipcode];

/** Writes a configuration with every list that can be read at once. Returns the path of the file. */
export function writeConfig(dir: string, [shop = '', erp = '']: readonly string[]): string {
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(
    file,
    `
version: 1
state: { dir: ${dir}/data }
accounts:
  main:
    marketplace:
      base_url: ${shop}
      auth: { scheme: app, key: ${SECRETS[0]} }
      seller_id: 4711
      timeout: 2s
    erp: { type: http, url: "${erp}", token: ${SECRETS[1]}, timeout: 2s }
    customers: { to_marketplace: true, to_erp: true }
    payments: { to_marketplace: true, to_erp: true, types: { Bank transfer: wire } }
    assignments: { from: attributes.offered_to, buyers: customer }
    orders: { export_from: 2000-01-01T00:00:00Z, from_erp: { since: 2000-01-01 }, transports: { order: mp_order_number } }
    inventory: { strategy: b }
    facilities:
      created_by: 17
      batches: { match: name, fields: { name: batch, product: product.sku } }
      map:
        - { erp_location: EAST, facility_id: 2 }
`,
  );
  return file;
}
