import type { Handler } from '../call.ts';
import { parseInstant, showInstant } from '../instants.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { isCompany } from './companies.ts';
import { recordsAnswer } from './crud.ts';
import type { Family } from './family.ts';
import { listRecords } from './list.ts';

const DAY_MICROS = 86_400_000_000;
const MESSAGES = "(SELECT group_concat(json_extract(value, '$.message'), ' ') FROM json_each(fields, '$.messages'))";
const isParty = (market: Market, party: unknown) => isCompany(market, (party as Fields)['id']);

/** Spec 2, Discussion, with its messages in the order they were written. */
export const discussions: Family = {
  name: 'discussions',
  initial: { status: 'in_progress', creator: null, messages: [] },
  kept: ['status', 'messages'],
  refers: { sender_company: isParty, recipient_company: isParty },
  searched: [MESSAGES],
  filters: {
    from_date: (day) => ({ sql: 'created >= ?', values: [startOf(day)] }),
    to_date: (day) => ({ sql: 'created < ?', values: [startOf(day) + DAY_MICROS] }),
  },
  take(market, { first_message: first, ...fields }) {
    if (first === undefined) return fields;
    const [, ...others] = fields['messages'] as Fields[];
    return { ...fields, messages: [messageOf(market, fields, first as Fields), ...others] };
  },
  show: (_market, { messages, ...fields }) => ({ ...fields, latest_message: (messages as Fields[]).at(-1) ?? null }),
};

export const discussionHandlers: Readonly<Record<string, Handler>> = {
  'discussions.list': (market, call) => {
    const { limit, offset } = call.window;
    const answer = recordsAnswer(market, discussions, listRecords(market, discussions, call));
    return { ...answer, envelope: { current_page: Math.floor(offset / limit) + 1 } };
  },
};

function messageOf(market: Market, { sender_company: company, creator }: Fields, { message }: Fields): Fields {
  const author = { id: 1, company, user: creator, name: 'Robin Keller', email: 'robin@juniper.example' };
  const now = showInstant(market.now(), market.settings().timesShown);
  return { id: 1, message, created_on: now, read_by_sender: now, read_by_recipient: null, author };
}

function startOf(day: unknown): number {
  return parseInstant(`${String(day)}T00:00:00Z`) ?? 0;
}
