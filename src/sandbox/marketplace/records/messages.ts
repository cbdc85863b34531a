import { entity } from '../call.ts';
import { showTime } from '../instants.ts';
import { wholeList } from '../list-query.ts';
import type { Market } from '../market.ts';
import { type Fields, invalid } from '../wire-values.ts';
import { createRecord, listAnswer, patchRecord } from './crud.ts';
import { allRecords, type Family, field, fieldsOf, isCompany, madeBetween } from './family.ts';

const MESSAGES = "(SELECT group_concat(json_extract(value, '$.message'), ' ') FROM json_each(fields, '$.messages'))";
const isParty = (market: Market, party: unknown) => isCompany(market, (party as Fields)['id']);

/** Spec 2, Discussion, with its messages in written order. */
const discussions: Family = {
  name: 'discussions',
  initial: { status: 'in_progress', creator: null, messages: [] },
  kept: ['status', 'messages'],
  refers: { sender_company: isParty, recipient_company: isParty },
  searched: [MESSAGES],
  filters: madeBetween('from_date', 'to_date'),
  handlers: {
    list(market, call) {
      const { limit, offset } = call.window;
      const envelope = { current_page: Math.floor(offset / limit) + 1 };
      return { ...listAnswer(market, discussions, call), envelope };
    },
  },
  take(market, { first_message: first, ...fields }) {
    if (first === undefined) return fields;
    const [, ...others] = fields['messages'] as Fields[];
    return { ...fields, messages: [messageOf(market, fields, first as Fields), ...others] };
  },
  show: (_market, { messages, ...fields }) => ({ ...fields, latest_message: (messages as Fields[]).at(-1) ?? null }),
};

function messageOf(market: Market, { sender_company: company, creator }: Fields, { message }: Fields): Fields {
  const author = { id: 1, company, user: creator, name: 'Robin Keller', email: 'robin@juniper.example' };
  const now = showTime(market.now(), market.settings());
  return { id: 1, message, created_on: now, read_by_sender: now, read_by_recipient: null, author };
}

/** Spec 2, Notification preferences, Group. */
const notificationGroups: Family = {
  name: 'notification-preference-groups',
  searched: [field('name'), field('display_description')],
};

/** A user's choice for a topic and medium, instead of the topic's default. */
const said: Family = {
  name: 'notification-preferences',
  handlers: {
    list: (market, { params }) => wholeList(preferencesOf(market, String(params['user_id'])), null),
    patch(market, { params, items }) {
      const user = String(params['user_id']);
      for (const item of items) say(market, user, item);
      return entity(preferencesOf(market, user));
    },
  },
};

export const MESSAGE_FAMILIES: readonly Family[] = [discussions, notificationGroups, said];

interface Item {
  readonly name: string;
  readonly default_value: boolean;
  readonly available_medium: readonly string[];
}

/** @throws Refusal 400 for an unknown topic or medium */
function say(market: Market, user: string, { topic, medium, enabled_timestamp: enabled }: Fields): void {
  const item = itemsOf(market).find(({ name }) => name === topic);
  if (!item) throw invalid('topic', `There is no topic ${JSON.stringify(topic)}.`);
  if (!item.available_medium.includes(String(medium))) {
    throw invalid('medium', `${item.name} is told by ${item.available_medium.join(' and ')} only.`);
  }
  const now = showTime(market.now(), market.settings());
  const fields = { user, topic, medium, enabled_timestamp: enabled === true ? now : null };
  const before = saidBy(market, user, topic, medium);
  if (before) patchRecord(market, said, before, fields);
  else createRecord(market, said, fields);
}

function preferencesOf(market: Market, user: string): Fields[] {
  const start = showTime(0, market.settings());
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
