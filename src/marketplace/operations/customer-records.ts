import { z } from 'zod';
import { operations, records } from './define.ts';
import { BY_ID, compared, nonEmpty, nullableText, textFilter, wireColour } from './limits.ts';
import { SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireIntegerList } from './wire.ts';

/** Spec 2, Resources, Customer status. */
const statusBody = z.strictObject({
  state: nonEmpty.max(40),
  /** Lower comes first. */
  order: z.int().min(1).max(2_147_483_647).optional(),
  description: nullableText(1500),
  /** The company that created it. */
  owner: z.int().nullish(),
  is_stock: z.boolean().optional(),
  hex_color: wireColour.nullish(),
});

const customerStatus = z.looseObject({
  id: z.int(),
  state: z.string(),
  order: z.int().nullish(),
  description: z.string().nullish(),
  owner: z.int().nullish(),
  is_stock: z.boolean().nullish(),
  hex_color: z.string().nullish(),
});

const phone = z
  .string()
  .max(400)
  .regex(/^(\d{10})?$/, 'expected ten digits')
  .nullish();

/**
 * Spec 2, Resources, Contact. The limits and requirements of owner, the names and the addresses are not shown: the
 * marketplace checks them.
 */
const contactBody = z.strictObject({
  owner: z.int().optional(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  email: z.string().nullish(),
  secondary_email: z.string().nullish(),
  role: nullableText(400),
  description: nullableText(1500),
  phone,
  phone_extension: nullableText(20),
  secondary_phone: phone,
  secondary_phone_extension: nullableText(20),
  /** Marks the contact deleted. */
  delete: z.boolean().optional(),
});

const contact = z.looseObject({
  id: z.int(),
  owner: z.int().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});

const groupStatus = z.enum(['active', 'archived']);

/** Spec 2, Resources, Customer group. */
const groupBody = z.strictObject({
  name: nonEmpty.max(256),
  description: nullableText(512),
  /** Ids. */
  customers: z.array(z.int()).optional(),
  status: groupStatus.optional(),
});

const customerGroup = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  customers: z.array(z.int()).nullish(),
  status: z.string().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});

const needs = ['Customers'] as const;
const BARE = { section: '1, Authentication, Permissions', needs } as const;

/** The company that looks: the spec has two variants of list and get, and both take it. */
const COMPANY = { company_id: z.int() } as const;
const IN_COMPANY = z.strictObject(COMPANY);
const IN_COMPANY_BY_ID = BY_ID.extend(COMPANY);
const groupFilters = { ...SEARCH_QUERY, status: groupStatus.optional() } as const;

const integers = wireIntegerList.optional();

/** The records that describe customers. */
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
      company_slug: nonEmpty.optional(),
      description: nonEmpty.optional(),
      hex_color: nonEmpty.optional(),
      id: z.int().optional(),
      is_stock: z.boolean().optional(),
      order: z.int().optional(),
      owner: z.int().optional(),
      state: nonEmpty.optional(),
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
  // Spec 2, Activity entries: of the record itself nothing is shown but the filters of the list.
  ...records('activity-entries', ['list', 'get', 'create', 'patch', 'delete'], {
    section: '2, Endpoints, Activity entries',
    needs,
    one: 'activity entry',
    many: 'activity entries',
    filters: {
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
    },
  }),
  ...records('customer-tiers', ['list', 'get'], { ...BARE, one: 'customer tier' }),
  ...records('license-types', ['list', 'get'], { ...BARE, one: 'license type' }),
  ...operations(
    { section: '2, Endpoints, Customer groups' },
    {
      'customer-groups.list': {
        call: 'GET /companies/{company_id}/customer-groups/',
        summary: 'List the customer groups of a brand owner company',
        params: IN_COMPANY,
        query: groupFilters,
        answer: customerGroup,
        paging: 'page',
      },
      'customer-groups.list-unified': {
        call: 'GET /customer-groups/',
        summary: 'List customer groups, as the unified list shows them',
        query: { ...COMPANY, ...groupFilters },
        answer: customerGroup,
        paging: 'page',
      },
      'customer-groups.get': {
        call: 'GET /companies/{company_id}/customer-groups/{id}/',
        summary: 'Get one customer group of a brand owner company',
        params: IN_COMPANY_BY_ID,
        answer: customerGroup,
      },
      'customer-groups.get-unified': {
        call: 'GET /customer-groups/{id}/',
        summary: 'Get one customer group of the unified list',
        query: COMPANY,
        answer: customerGroup,
      },
      'customer-groups.create': {
        call: 'POST /companies/{company_id}/customer-groups/',
        summary: 'Create a customer group',
        params: IN_COMPANY,
        body: groupBody,
        answer: customerGroup.pick({ id: true }),
      },
      'customer-groups.patch': {
        call: 'PATCH /companies/{company_id}/customer-groups/{id}/',
        summary: 'Change a customer group',
        params: IN_COMPANY_BY_ID,
        body: groupBody.partial(),
        answer: customerGroup.partial().nullable(),
      },
      'customer-groups.delete': {
        call: 'DELETE /companies/{company_id}/customer-groups/{id}/',
        summary: 'Delete a customer group',
        params: IN_COMPANY_BY_ID,
        answer: z.unknown(),
      },
    },
  ),
} as const;
