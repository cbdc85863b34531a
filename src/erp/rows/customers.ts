import { z } from 'zod';
import { onlyKnown } from '../../settings/names.ts';
import type { ErpAddress, ErpCustomer } from '../connector.ts';
import { identifier, known, knownText, marketplaceId, text, time } from './rows.ts';

const address = known(
  z
    .object({
      address: knownText,
      unit_number: knownText,
      city: knownText,
      county: knownText,
      state: knownText,
      zipcode: knownText,
    })
    .transform(({ unit_number, ...same }): ErpAddress => onlyKnown({ ...same, unitNumber: unit_number })),
);

export const customerRow: z.ZodType<ErpCustomer> = z
  .object({
    id: identifier,
    marketplace_id: marketplaceId,
    name: text,
    email: knownText,
    phone: knownText,
    license_number: knownText,
    status: knownText,
    active: known(z.boolean()),
    deleted: known(z.boolean()),
    addresses: known(z.object({ corporate: address, delivery: address }).transform(onlyKnown)),
    attributes: known(z.record(z.string(), z.unknown())),
    changed_at: time.nullish(),
  })
  .transform(({ id, name, email, phone, status, addresses, attributes, ...row }) => ({
    id,
    name,
    marketplaceId: row.marketplace_id ?? null,
    changedAt: row.changed_at ?? null,
    ...onlyKnown({ email, phone, licenseNumber: row.license_number, status, active: isActive(row), addresses }),
    ...(row.deleted === true ? { deleted: true as const } : {}),
    ...onlyKnown({ attributesText: attributes && JSON.stringify(attributes) }),
  }));

function isActive({ active, deleted }: { active: boolean | undefined; deleted: boolean | undefined }) {
  if (deleted === true) return false;
  return active ?? (deleted === false ? true : undefined);
}
