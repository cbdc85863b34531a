import { z } from 'zod';
import { operations, records } from './define.ts';
import { eachField, NAMED, nonEmpty, optional, pathText, row, shown, wireDate } from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';

const company = z.strictObject({ id: z.int(), name: z.string() });

/** Spec 2, Endpoints, Create a discussion with its first message. */
const discussionBody = z.strictObject({
  topic: nonEmpty,
  sender_company: company,
  recipient_company: company,
  creator: z.int().nullish(),
  first_message: z.strictObject({ message: z.string() }),
});

/** Spec 2, Resources, Discussion. */
const discussion = row({
  ...shown.texts('topic', 'status'),
  ...eachField(NAMED.nullish(), 'sender_company', 'recipient_company'),
  ...shown.ints('creator'),
  latest_message: z
    .looseObject({ ...shown.ints('id'), ...shown.texts('message'), ...shown.times('created_on') })
    .nullish(),
});

/** Spec 2, Resources, Notification preferences. */
const group = z.looseObject({
  ...shown.texts('name', 'display_description'),
  items: z.array(z.looseObject(shown.texts('name'))).nullish(),
});
const medium = eachField(z.string(), 'topic', 'medium');
/** `enabled_timestamp`: since when the notification is on. */
const preference = z.looseObject({ ...medium, ...shown.times('enabled_timestamp') });

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
      ...optional(wireDate, 'from_date', 'to_date'),
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
      body: z.array(z.strictObject({ ...medium, enabled_timestamp: z.boolean() })),
      answer: z.array(preference).nullable(),
    },
  }),
} as const;
