import { type ShownCause, TURNS } from '../domain/causes/cause.ts';
import { stepOnScreen } from '../domain/causes/on-screen.ts';
import { headline } from '../domain/headline.ts';
import { neededOf, neededTexts } from '../domain/needed.ts';
import { type StandingConcern, same } from '../domain/notices.ts';
import { visible } from '../domain/visible.ts';
import type { Message } from '../store/notices.ts';

export interface Standing extends StandingConcern {
  readonly causes: number;
  /** The start of the first case in epoch milliseconds; null: unknown. */
  readonly sinceMs: number | null;
  readonly example: { readonly key: string } & Pick<ShownCause, 'code' | 'params' | 'text' | 'turn' | 'next' | 'page'>;
  /** Why its present state is unknown; null: it is present. */
  readonly unseen: string | null;
  /** The texts for people, looked up only for a message. */
  tell(): Promise<Words>;
}

export interface Words {
  /** All cases: `3 orders wait: Hand-dipped candle is not linked to a product of yours`. */
  readonly sentence: string;
  readonly name: string;
  /** The part of the sentence about the example. */
  readonly words: string;
  /** The id of the waiting plan; null: no brake. */
  readonly plan: number | null;
}

export type AllStanding = ReadonlyMap<string, readonly Standing[]>;

export type WordedConcerns = ReadonlyMap<string, readonly Told[]>;
type Told = Omit<Standing, 'tell'> & Words;

export interface Around {
  /** The address of the screen; null: messages name the terminal's next steps. */
  readonly screen: string | null;
  /** By account, why it is unknown whether something needs somebody: `not all of its lists have been read yet`. */
  readonly unseen: ReadonlyMap<string, string>;
  /** Who or what ended the concern. */
  readonly ended: string;
}

export interface MessageText {
  /** One line of text. */
  readonly subject: string;
  readonly lines: readonly string[];
  /** The page of the screen with the action; null: no screen address is configured. */
  readonly link: string | null;
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const MOST_LINES = 20;
/** The most characters of a text: chats refuse a long message, and later ones would wait behind it. */
const LONGEST = 1_000;
const LONGEST_SUBJECT = 140;
/** Slack's `<!channel>` and `<address|text>`, links and references of Markdown, `@here`. */
const MARKS = /[<>]|\](?=[([:])|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu;

export async function concernsIn(message: Message, all: AllStanding): Promise<WordedConcerns> {
  const { event, account } = message;
  const meant = event === 'digest' ? [...all] : [[account, (all.get(account) ?? []).filter(same(message))] as const];
  const withWords = meant.map(async ([name, concerns]) => {
    const worded = concerns.map(async (one) => ({ ...one, ...(await one.tell()) }));
    return [name, await Promise.all(worded)] as const;
  });
  return new Map(await Promise.all(withWords));
}

/** The text of a message. For an ended concern, it says who or what ended it. */
export function textOf(message: Message, all: WordedConcerns, around: Around): MessageText {
  const { event, account, kind, about, code, count, atMs } = message;
  const { screen, ended } = around;
  if (event === 'digest') return digest(all, atMs, around);
  const facts = { event, account, kind, about, code, count, at: new Date(atMs).toISOString() };
  const whose = named(account);
  const standing = all.get(account)?.find(same(message));
  const link = screen === null ? null : linkTo(screen, message, standing?.plan ?? null);
  if (event === 'closed')
    return {
      subject: `${whose}: over: ${headline(message, true)}`,
      lines: [`Ended ${unmarked(ended)} (${code})`],
      link,
      facts: { ...facts, ended },
    };
  if (standing === undefined) return { subject: `${whose}: ${headline(message)}`, lines: [`(${code})`], link, facts };
  const { sinceMs, example, sentence, name, words } = standing;
  const { key, turn, next, page } = example;
  const since = sinceMs === null ? '' : `, since ${new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [
    `${count === 1 ? '' : 'Such as '}${unmarked(name)}: ${unmarked(words)}`,
    `${TURNS[turn]}${since} (${code})`,
    `-> ${unmarked(screen === null ? next : stepOnScreen(example))}`,
    screen === null ? `More: stockbridge guide ${page}` : `More: ${screen}/guide/${page}`,
  ];
  const subject = shortened(`${whose}: ${unmarked(sentence)}`);
  return { subject, lines, link, facts: { ...facts, key, turn, next, page } };
}

export function wholeText({ subject, lines, link }: MessageText): string {
  return [subject, ...lines, ...(link === null ? [] : [link])].join('\n');
}

/** The screen page with the cases of a concern and the actions on them. */
function linkTo(screen: string, { account, kind, code }: Message, plan: number | null): string {
  const [path, state] = PAGES[kind] ?? ['', null];
  const cases = state === null ? {} : { state, error: code };
  const query = new URLSearchParams({ account, ...cases, ...(plan === null ? {} : { plan: String(plan) }) });
  return account === '' ? `${screen}/` : `${screen}/${path}?${query.toString()}`;
}

/** The page of each kind of concern, and the state that it filters by. */
const PAGES: Readonly<Record<string, readonly [string, string | null]>> = {
  held: ['needs', 'held'],
  failed: ['needs', 'failed'],
  'in doubt': ['needs', 'in-doubt'],
  alert: ['needs', 'alert'],
  brake: ['brakes', null],
};

function shortened(text: string): string {
  return text.length > LONGEST_SUBJECT ? `${text.slice(0, LONGEST_SUBJECT - 3).toWellFormed()}...` : text;
}

const named = (account: string): string => (account === '' ? 'all accounts' : account);

function digest(all: WordedConcerns, atMs: number, { screen, unseen }: Around): MessageText {
  const accounts = [...all].filter(([account, concerns]) => account !== '' || concerns.length > 0);
  const told = accounts.flatMap(([account, concerns]) => [
    ...concerns.map((one) => {
      const rest = one.unseen === null ? '' : ` (${one.unseen})`;
      return shortened(`${named(account)}: ${unmarked(one.sentence)}`) + rest;
    }),
    ...(unseen.has(account) ? [`${named(account)}: ${unseen.get(account)}`] : []),
    ...(concerns.length > 0 || unseen.has(account) ? [] : [`${named(account)}: nothing needs you`]),
  ]);
  const neededIn = (concerns: readonly Told[]) => neededOf(concerns.map(({ example }) => example.turn));
  const subject = neededTexts(neededIn(accounts.flatMap(([, concerns]) => concerns)), unseen.size === 0).join('; ');
  const rest = told.length - MOST_LINES;
  const more = screen === null ? 'stockbridge status' : 'on the screen';
  const lines = [...told.slice(0, MOST_LINES), ...(rest > 0 ? [`and ${rest} more: ${more}`] : [])];
  const facts = {
    event: 'digest',
    at: new Date(atMs).toISOString(),
    accounts: accounts.map(([account, concerns]) => {
      const { operator: needs, ...waits } = neededIn(concerns);
      return { account: named(account), needs, waits };
    }),
  };
  return { subject, lines, link: screen === null ? null : `${screen}/`, facts };
}

export function trial(channel: string, nowMs: number): MessageText {
  const facts = { event: 'test', at: new Date(nowMs).toISOString() };
  const lines = ['This is a test: nothing needs you because of it.'];
  return { subject: `Stockbridge can send to ${channel}`, lines, link: null, facts };
}

/**
 * A text of either side in a message mentions nobody, hides no address behind other words, and has no chat mark-up.
 * Characters with such an effect are written as in JSON, `\u003c`.
 */
function unmarked(text: string): string {
  const bounded = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  return visible(bounded).replace(MARKS, (mark) => String.raw`\u00` + mark.charCodeAt(0).toString(16));
}
