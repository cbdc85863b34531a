import { z } from 'zod';
import { operations, records } from './define.ts';
import {
  BY_ID,
  COMPANY,
  compared,
  DATED,
  eachField,
  integers,
  nonEmpty,
  nullableText,
  optional,
  row,
  shown,
  textFilters,
  texts,
  wireColour,
} from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';
import { sentDateTime } from './wire.ts';

/** Spec 2, Resources, Customer status. */
const statusBody = z.strictObject({
  state: nonEmpty.max(40),
  /** Lower comes first. */
  order: z.int().min(1).max(2_147_483_647).optional(),
  description: nullableText(1500),
  owner: z.int().nullish(),
  is_stock: z.boolean().optional(),
  hex_color: wireColour.nullish(),
});

const customerStatus = row({
  state: z.string(),
  ...shown.texts('description', 'hex_color'),
  ...shown.ints('order', 'owner'),
  ...shown.flags('is_stock'),
});

const phone = z
  .string()
  .max(400)
  .regex(/^(\d{10})?$/, 'expected ten digits')
  .nullish();

/**
 * Spec 2, Resources, Contact. Limits and required fields of owner, names and addresses are unknown: the marketplace
 * checks them.
 */
const contactBody = z.strictObject({
  owner: z.int().optional(),
  ...shown.texts('first_name', 'last_name', 'email', 'secondary_email'),
  role: nullableText(400),
  description: nullableText(1500),
  ...eachField(phone, 'phone', 'secondary_phone'),
  ...eachField(nullableText(20), 'phone_extension', 'secondary_phone_extension'),
  delete: z.boolean().optional(),
});

const contact = row({ ...shown.ints('owner'), ...shown.texts('first_name', 'last_name', 'email', 'phone'), ...DATED });

const groupStatus = z.enum(['active', 'archived']);

/** Spec 2, Resources, Customer group. */
const groupBody = z.strictObject({
  name: nonEmpty.max(256),
  description: nullableText(512),
  /** Customer ids. */
  customers: z.array(z.int()).optional(),
  status: groupStatus.optional(),
});

const customerGroup = row({
  ...shown.texts('name', 'description', 'status'),
  customers: z.array(z.int()).nullish(),
  ...DATED,
});

const needs = ['Customers'] as const;
const GROUPS = { section: '2, Endpoints, Customer groups' } as const;
const BARE = { section: '1, Authentication, Permissions', needs } as const;

/** The spec has two variants of list and get. Both take the company on whose behalf they read. */
const groupFilters = { ...SEARCH_QUERY, status: groupStatus.optional() } as const;

export const customerRecordOperations = {
  ...records('customer-statuses', ['list', 'get', 'create', 'replace', 'patch', 'delete'], {
    section: '2, Endpoints, Customer statuses',
    needs,
    one: 'customer status',
    many: 'statuses that customers can have',
    row: customerStatus,
    body: statusBody,
    filters: {
      ...SEARCH_QUERY,
      ...optional(nonEmpty, 'company_slug', 'description', 'hex_color', 'state'),
      ...optional(z.int(), 'id', 'order', 'owner'),
      is_stock: z.boolean().optional(),
    },
  }),
  ...records('contacts', ['list', 'get', 'create', 'patch', 'delete'], {
    section: '2, Endpoints, Contacts',
    needs,
    one: 'contact',
    many: 'contacts of customers',
    row: contact,
    body: contactBody,
  }),
  // Spec 2, Activity entries: the filters of the list are known, the record's fields are not.
  ...records('activity-entries', ['list', 'get', 'create', 'patch', 'delete'], {
    section: '2, Endpoints, Activity entries',
    needs,
    one: 'activity entry',
    many: 'activity entries',
    filters: {
      ...SEARCH_QUERY,
      ...optional(z.int(), 'author', 'company', 'customer', 'owner', 'staff', 'id'),
      ...optional(integers, 'author_id', 'brand', 'brand_id', 'company_id', 'contact', 'contact_id'),
      ...optional(integers, 'customer_id', 'owner_id', 'staff_id'),
      company_slug: nonEmpty.optional(),
      type: texts.optional(),
      ...textFilters('entry'),
      entry__in: texts.optional(),
      ...compared(sentDateTime, 'created_on', 'date', 'modified'),
      ...optional(z.boolean(), 'delete', 'is_deleted'),
    },
  }),
  ...records('customer-tiers', ['list', 'get'], { ...BARE, one: 'customer tier' }),
  ...records('license-types', ['list', 'get'], { ...BARE, one: 'license type' }),
  ...records('customer-groups', ['list', 'get', 'create', 'patch', 'delete'], {
    ...GROUPS,
    path: '/companies/{company_id}/customer-groups/',
    within: z.strictObject(COMPANY),
    key: BY_ID.extend(COMPANY),
    one: 'customer group',
    many: 'customer groups of a brand owner company',
    row: customerGroup,
    body: groupBody,
    filters: groupFilters,
    summaries: { get: 'Get one customer group of a brand owner company' },
  }),
  ...operations(GROUPS, {
    'customer-groups.list-unified': {
      call: 'GET /customer-groups/',
      summary: 'List customer groups, as the unified list shows them',
      query: { ...COMPANY, ...groupFilters },
      answer: customerGroup,
      paging: 'page',
    },
    'customer-groups.get-unified': {
      call: 'GET /customer-groups/{id}/',
      summary: 'Get one customer group of the unified list',
      query: COMPANY,
      answer: customerGroup,
    },
  }),
} as const;
