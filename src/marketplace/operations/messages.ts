import { z } from 'zod';
import { operations, records } from './define.ts';
import { nonEmpty, pathText, wireDate } from './limits.ts';
import { SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

const company = z.strictObject({ id: z.int(), name: z.string() });

/** Spec 2, Endpoints, Create a discussion with its first message. */
const discussionBody = z.strictObject({
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

/** Spec 2, Resources, Notification preferences. */
const group = z.looseObject({
  name: z.string().nullish(),
  display_description: z.string().nullish(),
  items: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
});
const preference = z.looseObject({
  topic: z.string(),
  medium: z.string(),
  /** Since when it is on. */
  enabled_timestamp: wireDateTime.nullish(),
});

const notifications = { section: '2, Endpoints, Notifications, order payments, approval' } as const;
const OF_USER = z.strictObject({ user_id: pathText });

export const messageOperations = {
  ...records('discussions', ['list', 'create', 'get', 'replace', 'patch'], {
    section: '2, Endpoints, Discussions',
    one: 'discussion',
    many: 'discussions with other companies',
    row: discussion,
    body: discussionBody,
    filters: {
      /** Searches the messages. */
      ...SEARCH_QUERY,
      from_date: wireDate.optional(),
      to_date: wireDate.optional(),
      status: z.enum(['in_progress', 'completed']).optional(),
    },
    summaries: { create: 'Open a discussion with its first message' },
  }),
  ...records('notification-preference-groups', ['list', 'get'], {
    ...notifications,
    one: 'group of things that users can be notified of',
    many: 'groups of things that users can be notified of',
    key: z.strictObject({ id: pathText }),
    row: group,
  }),
  ...operations(notifications, {
    'notification-preferences.list': {
      call: 'GET /users/{user_id}/notification-preferences/',
      summary: 'List what a user is notified of',
      params: OF_USER,
      answer: preference,
      paging: 'array',
    },
    'notification-preferences.patch': {
      call: 'PATCH /users/{user_id}/notification-preferences/',
      summary: 'Change what a user is notified of',
      params: OF_USER,
      body: z.array(z.strictObject({ topic: z.string(), medium: z.string(), enabled_timestamp: z.boolean() })),
      answer: z.array(preference).nullable(),
    },
  }),
} as const;
