import { z } from 'zod';
import { BY_ID, nullableText } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

const phone = z
  .string()
  .max(400)
  .regex(/^(\d{10})?$/, 'expected ten digits')
  .nullish();

/**
 * Spec 2, Resources, Contact. The limits and requirements of owner, the names and the addresses are not shown: what is
 * demanded of them is left to the marketplace.
 */
const body = z.strictObject({
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
const echo = contact.partial().nullable();

const SECTION = '2, Endpoints, Contacts';
const read = {
  section: '1, Authentication, Permissions',
  permission: { anyOf: ['Customers'], access: 'read' },
} as const;
const write = { ...read, permission: { anyOf: ['Customers'], access: 'write' } } as const;

export const contactOperations = {
  'contacts.list': operation({
    ...read,
    id: 'contacts.list',
    summary: 'List the contacts of customers',
    method: 'GET',
    path: '/contacts/',
    provenance: 'documented',
    query: z.strictObject(SEARCH_QUERY),
    answer: contact,
    paging: 'page',
  }),
  'contacts.get': operation({
    ...read,
    id: 'contacts.get',
    summary: 'Get one contact',
    method: 'GET',
    path: '/contacts/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: contact,
  }),
  'contacts.create': operation({
    ...write,
    id: 'contacts.create',
    summary: 'Create a contact',
    method: 'POST',
    path: '/contacts/',
    provenance: 'documented',
    section: SECTION,
    body,
    answer: contact.pick({ id: true }),
  }),
  'contacts.patch': operation({
    ...write,
    id: 'contacts.patch',
    summary: 'Change a contact',
    method: 'PATCH',
    path: '/contacts/{id}/',
    provenance: 'assumed',
    section: SECTION,
    pathParams: BY_ID,
    body,
    answer: echo,
  }),
  'contacts.delete': operation({
    ...write,
    id: 'contacts.delete',
    summary: 'Delete a contact',
    method: 'DELETE',
    path: '/contacts/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: z.unknown(),
  }),
} as const;
