import { type ShownCause, TURNS } from '../domain/causes/cause.ts';
import { counted } from '../domain/counted.ts';
import { type Concern, same } from '../domain/notices.ts';
import { visible } from '../domain/visible.ts';
import type { Message } from '../store/notices.ts';

/** A concern as it stands now, with an example of its cases. */
export interface Standing extends Concern {
  /** How many causes are behind the cases. */
  readonly causes: number;
  readonly example: { readonly key: string } & Pick<ShownCause, 'text' | 'turn' | 'next' | 'page'>;
  /** Why nobody knows whether it still stands; null: it stands. */
  readonly unseen: string | null;
}

/** The concerns that need somebody now, by account. */
export type AllStanding = ReadonlyMap<string, readonly Standing[]>;

/** A message in words. */
export interface Said {
  readonly subject: string;
  readonly text: string;
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const MOST_LINES = 20;
/** The most characters of a text in a message: chats refuse a long message, and then the later messages would wait. */
const LONGEST = 1_000;
/** Slack's `<!channel>` and `<address|text>`, links and references of Markdown, `@here`. */
const MARKS = /[<>]|\](?=[([:])|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu;

/** The words of a message. If its concern has ended, the message only names it. */
export function said(message: Message, all: AllStanding): Said {
  const { event, account, kind, about, code, count, atMs } = message;
  if (event === 'digest') return digest(all, atMs);
  const what = `${count} ${kind}, ${about}`;
  const facts = { event, account, kind, about, code, count, at: new Date(atMs).toISOString() };
  const whose = named(account);
  if (event === 'closed') {
    const subject = `${whose}: over: ${what}`;
    return { subject, text: `${subject} (${code})`, facts };
  }
  const subject = `${whose}: ${what}`;
  const standing = (all.get(account) ?? []).find(same(message));
  if (standing === undefined) return { subject, text: `${subject} (${code})`, facts };
  const { key, text, turn, next, page } = standing.example;
  const example = `${count === 1 ? '' : 'such as '}${unmarked(key)}: ${unmarked(text)}`;
  const lines = [
    `${subject} (${code}): ${TURNS[turn]}`,
    example,
    `-> ${unmarked(next)}`,
    `More: stockbridge guide ${page}`,
  ];
  return { subject, text: lines.join('\n'), facts: { ...facts, key, turn, next, page } };
}

/** The configuration as a whole belongs to no account. */
const named = (account: string): string => (account === '' ? 'all accounts' : account);

/** The daily digest: the state of every account. */
function digest(all: AllStanding, atMs: number): Said {
  const accounts = [...all]
    .filter(([account, standing]) => account !== '' || standing.length > 0)
    .map(([account, standing]) => ({ account: named(account), standing }));
  const needs = accounts.reduce((total, { standing }) => total + standing.length, 0);
  const subject = needs === 0 ? 'Nothing needs you' : `${counted(needs, 'thing')} need${needs === 1 ? 's' : ''} you`;
  const lines = accounts.flatMap(({ account, standing }) =>
    standing.length === 0
      ? [`${account}: nothing needs you`]
      : standing.map(({ kind, about, code, count, example, unseen }) => {
          const rest = unseen === null ? '' : ` (${unseen})`;
          return `${account}: ${count} ${kind}, ${about} (${code}): ${TURNS[example.turn]}${rest}`;
        }),
  );
  const rest = lines.length - MOST_LINES;
  const shown = [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`and ${rest} more: stockbridge status`] : [])];
  const facts = {
    event: 'digest',
    at: new Date(atMs).toISOString(),
    accounts: accounts.map(({ account, standing }) => ({ account, needs: standing.length })),
  };
  return { subject, text: [subject, ...shown].join('\n'), facts };
}

/** The message that tries a channel. */
export function trial(channel: string, nowMs: number): Said {
  const subject = `Stockbridge can send to ${channel}`;
  const text = `${subject}. This is a test: nothing needs you because of it.`;
  return { subject, text, facts: { event: 'test', at: new Date(nowMs).toISOString() } };
}

/**
 * A text of either side as a message tells it: it calls nobody, hides no address behind other words, and has no mark-up of a
 * chat. Characters that would have such an effect are written as in JSON, `\u003c`.
 */
function unmarked(text: string): string {
  const told = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return visible(told).replace(MARKS, (mark) => String.raw`\u00` + mark.charCodeAt(0).toString(16));
}
