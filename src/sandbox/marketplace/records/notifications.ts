import type { Handler } from '../call.ts';
import { showInstant } from '../instants.ts';
import type { Market } from '../market.ts';
import { invalid } from '../refusal.ts';
import { wholeList } from '../whole-list.ts';
import type { Fields } from '../wire-values.ts';
import { createRecord, patchRecord } from './crud.ts';
import { type Family, field } from './family.ts';
import { allRecords, fieldsOf } from './rows.ts';

/** Spec 2, Notification preferences, Group. */
export const notificationGroups: Family = {
  name: 'notification-preference-groups',
  searched: [field('name'), field('display_description')],
};

/** A user's choice for one topic and medium; without one, the topic's default holds. */
const said: Family = { name: 'notification-preferences' };

export const NOTIFICATION_FAMILIES = [notificationGroups, said] as const;

interface Item {
  readonly name: string;
  readonly default_value: boolean;
  readonly available_medium: readonly string[];
}

export const notificationHandlers: Readonly<Record<string, Handler>> = {
  'notification-preferences.list': (market, { params }) =>
    wholeList(preferencesOf(market, String(params['user_id'])), null),
  'notification-preferences.patch': (market, { params, items }) => {
    const user = String(params['user_id']);
    for (const item of items) say(market, user, item);
    return { kind: 'entity', json: JSON.stringify(preferencesOf(market, user)) };
  },
};

/** @throws Refusal 400 for a topic or a medium that there is not */
function say(market: Market, user: string, { topic, medium, enabled_timestamp: enabled }: Fields): void {
  const item = itemsOf(market).find(({ name }) => name === topic);
  if (!item) throw invalid('topic', `There is no topic ${JSON.stringify(topic)}.`);
  if (!item.available_medium.includes(String(medium))) {
    throw invalid('medium', `${item.name} is told by ${item.available_medium.join(' and ')} only.`);
  }
  const now = showInstant(market.now(), market.settings().timesShown);
  const fields = { user, topic, medium, enabled_timestamp: enabled === true ? now : null };
  const before = saidBy(market, user, topic, medium);
  if (before) patchRecord(market, said, before, fields);
  else createRecord(market, said, fields);
}

function preferencesOf(market: Market, user: string): Fields[] {
  const start = showInstant(0, market.settings().timesShown);
  return itemsOf(market).flatMap(({ name: topic, default_value: isOn, available_medium: media }) =>
    media.map((medium) => {
      const row = saidBy(market, user, topic, medium);
      const byDefault = isOn ? start : null;
      return { topic, medium, enabled_timestamp: row ? fieldsOf(row)['enabled_timestamp'] : byDefault };
    }),
  );
}

function saidBy(market: Market, user: string, topic: unknown, medium: unknown) {
  return allRecords(market, said.name).find((row) => {
    const fields = fieldsOf(row);
    return fields['user'] === user && fields['topic'] === topic && fields['medium'] === medium;
  });
}

function itemsOf(market: Market): Item[] {
  return allRecords(market, notificationGroups.name).flatMap((row) => fieldsOf(row)['items'] as Item[]);
}
