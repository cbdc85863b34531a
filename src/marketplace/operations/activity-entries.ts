import { z } from 'zod';
import { bareFamily } from './bare-family.ts';
import { compared, nonEmpty, textFilter } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireIntegerList } from './wire.ts';

/** Spec 2, Activity entries: of the record itself nothing is shown but what lists filter by. */
const family = bareFamily('activity-entries', ['Customers'], { one: 'activity entry', many: 'activity entries' });
const integers = wireIntegerList.optional();

export const activityEntryOperations = {
  'activity-entries.list': operation({
    ...family.list,
    section: '2, Endpoints, Activity entries',
    query: z.strictObject({
      ...SEARCH_QUERY,
      author: z.int().optional(),
      company: z.int().optional(),
      customer: z.int().optional(),
      owner: z.int().optional(),
      staff: z.int().optional(),
      id: z.int().optional(),
      author_id: integers,
      brand: integers,
      brand_id: integers,
      company_id: integers,
      contact: integers,
      contact_id: integers,
      customer_id: integers,
      owner_id: integers,
      staff_id: integers,
      company_slug: nonEmpty.optional(),
      ...textFilter('entry'),
      type: nonEmpty.optional(),
      ...compared('created_on', wireDateTime),
      ...compared('date', wireDateTime),
      ...compared('modified', wireDateTime),
      delete: z.boolean().optional(),
      is_deleted: z.boolean().optional(),
    }),
  }),
  'activity-entries.get': family.get,
  'activity-entries.create': family.create,
  'activity-entries.patch': family.patch,
  'activity-entries.delete': family.delete,
} as const;
