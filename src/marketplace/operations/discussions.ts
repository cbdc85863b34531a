import { z } from 'zod';
import { BY_ID, nonEmpty, wireDate } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

const company = z.strictObject({ id: z.int(), name: z.string() });

/** Spec 2, Endpoints, Create a discussion with its first message. */
const body = z.strictObject({
  topic: nonEmpty,
  sender_company: company,
  recipient_company: company,
  creator: z.int().nullish(),
  first_message: z.strictObject({ message: z.string() }),
});

const seenCompany = z.looseObject({ id: z.int().nullish(), name: z.string().nullish() });
/** Spec 2, Resources, Discussion. */
const discussion = z.looseObject({
  id: z.int(),
  topic: z.string().nullish(),
  status: z.string().nullish(),
  sender_company: seenCompany.nullish(),
  recipient_company: seenCompany.nullish(),
  creator: z.int().nullish(),
  latest_message: z
    .looseObject({ id: z.int().nullish(), message: z.string().nullish(), created_on: wireDateTime.nullish() })
    .nullish(),
});
const echo = discussion.partial().nullable();

const common = { section: '2, Endpoints, Discussions', provenance: 'assumed', permission: null } as const;

export const discussionOperations = {
  'discussions.list': operation({
    ...common,
    id: 'discussions.list',
    summary: 'List the discussions with other companies',
    method: 'GET',
    path: '/discussions/',
    query: z.strictObject({
      /** Searches the messages. */
      ...SEARCH_QUERY,
      from_date: wireDate.optional(),
      to_date: wireDate.optional(),
      status: z.enum(['in_progress', 'completed']).optional(),
    }),
    answer: discussion,
    paging: 'page',
  }),
  'discussions.create': operation({
    ...common,
    id: 'discussions.create',
    summary: 'Open a discussion with its first message',
    method: 'POST',
    path: '/discussions/',
    body,
    answer: discussion.pick({ id: true }),
  }),
  'discussions.get': operation({
    ...common,
    id: 'discussions.get',
    summary: 'Get one discussion',
    method: 'GET',
    path: '/discussions/{id}/',
    pathParams: BY_ID,
    answer: discussion,
  }),
  'discussions.replace': operation({
    ...common,
    id: 'discussions.replace',
    summary: 'Replace a discussion',
    method: 'PUT',
    path: '/discussions/{id}/',
    pathParams: BY_ID,
    body,
    answer: echo,
  }),
  'discussions.patch': operation({
    ...common,
    id: 'discussions.patch',
    summary: 'Change a discussion',
    method: 'PATCH',
    path: '/discussions/{id}/',
    pathParams: BY_ID,
    body: body.partial(),
    answer: echo,
  }),
} as const;
