import { z } from 'zod';
import { pathText } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

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

const common = {
  section: '2, Endpoints, Notifications, order payments, approval',
  provenance: 'assumed',
  permission: null,
} as const;
const OF_USER = z.strictObject({ user_id: pathText });

export const notificationOperations = {
  'notification-preference-groups.list': operation({
    ...common,
    id: 'notification-preference-groups.list',
    summary: 'List the groups of things that users can be notified of',
    method: 'GET',
    path: '/notification-preference-groups/',
    query: z.strictObject(SEARCH_QUERY),
    answer: group,
    paging: 'page',
  }),
  'notification-preference-groups.get': operation({
    ...common,
    id: 'notification-preference-groups.get',
    summary: 'Get one group of things that users can be notified of',
    method: 'GET',
    path: '/notification-preference-groups/{id}/',
    pathParams: z.strictObject({ id: pathText }),
    answer: group,
  }),
  'notification-preferences.list': operation({
    ...common,
    id: 'notification-preferences.list',
    summary: 'List what a user is notified of',
    method: 'GET',
    path: '/users/{user_id}/notification-preferences/',
    pathParams: OF_USER,
    answer: preference,
    paging: 'array',
  }),
  'notification-preferences.patch': operation({
    ...common,
    id: 'notification-preferences.patch',
    summary: 'Change what a user is notified of',
    method: 'PATCH',
    path: '/users/{user_id}/notification-preferences/',
    pathParams: OF_USER,
    body: z.array(z.strictObject({ topic: z.string(), medium: z.string(), enabled_timestamp: z.boolean() })),
    answer: z.array(preference).nullable(),
  }),
} as const;
