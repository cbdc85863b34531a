import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import { DECIDE_DOUBT, stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { Decimal } from '../../domain/decimal.ts';
import { writeText } from '../action-titles.ts';
import { sideText } from '../away.ts';
import { PLAN_CODES } from '../held-groups.ts';
import type { ListsKnown } from '../lists-known.ts';
import { type Explanation, type FlowNow, figureText, inUnits, type StockSum } from './explanation.ts';

type Facts = Omit<Explanation, 'answer' | 'parts'>;
/** The audience: the terminal knows flows and commands, the screen does not. */
export type Words = 'terminal' | 'screen';

/** What the entity is, why it is stopped, and what comes next. */
export type Parts = Explanation['parts'];

export const answerText = ({ what, why, next }: Parts): string =>
  [what, why, next].filter((part) => part !== '').join(' ');

/** What else is known of an entity as it is now. */
export interface Beside {
  /** Why an order is history; null: it is not. */
  readonly history: string | null;
  /** What is true of it while nothing is to be written; null: it is in step. */
  readonly idle: Going | null;
  readonly known: ListsKnown;
}

/** @param beside null: a moment of the past is told */
export function answerOf(told: Facts, beside: Beside | null, words: Words): Parts {
  const { name, isPast, at, recordedFrom } = told;
  if (isPast && (recordedFrom === null || at < recordedFrom)) {
    const from = recordedFrom === null ? '' : `: the record begins at ${recordedFrom}`;
    return { what: `There are no records of ${name} from before ${at}${from}.`, why: '', next: '' };
  }
  const { stock } = told;
  const what =
    stock === null
      ? presence(told, beside?.known ?? null)
      : isArchived(told)
        ? archivedSentence(name)
        : stockSentence(name, stock, isPast);
  if (beside === null) return { what, why: '', next: '' };
  const isStock = ({ flow }: FlowNow) => stock !== null && flow === 'stock';
  const flows = told.flows.toSorted((a, b) => Number(isStock(b)) - Number(isStock(a)));
  const voice = VOICES[words](told);
  const { why, next } =
    doubtOf(flows, words, voice) ??
    (beside.history === null
      ? nextOf(flows, { ...told, idle: beside.idle }, words, voice)
      : { why: beside.history, next: '' });
  return { what, why, next: [next, ...awaySentence(told)].join(' ').trim() };
}

/** The past is not recorded. */
function isArchived({ sides, isPast }: Facts): boolean {
  return !isPast && sides.marketplace.fields?.['archived'] === true;
}

function archivedSentence(name: string): string {
  return `${name} is archived on the marketplace: buyers can take none.`;
}

function stockSentence(name: string, stock: StockSum, isPast: boolean): string {
  const { erp, buffer, figure, available, lines, field, shown } = stock;
  const units = (text: string) => inUnits(text, stock);
  const uncounted = lines.filter((line) => line.there !== 'none' && !line.counted);
  const taken = uncounted.reduce((total, { quantity }) => total.plus(quantity), new Decimal(0));
  const added = field === 'quantity' ? lines.filter(({ there }) => there === 'reserved') : [];
  const back = added.reduce((total, { quantity }) => total.plus(quantity), new Decimal(0));
  const parts = [
    `the ERP has ${units(erp.available)} available`,
    ...(buffer === '0' ? [] : [`less a buffer of ${units(buffer)}`]),
    ...(taken.isZero()
      ? []
      : [`less ${units(taken.toFixed())} in ${counted(uncounted.length, 'line')} that it does not count`]),
    ...(back.isZero() ? [] : [`plus ${units(back.toFixed())} that the marketplace itself subtracts as reserved`]),
  ];
  // Nobody ordered the buffer.
  const free = new Decimal(available).plus(buffer);
  const sold = free.isNegative() ? ` It is oversold by ${units(free.abs().toFixed())}.` : '';
  const is = isPast ? 'had to be' : shown === figure ? 'is' : 'has to be';
  const differs =
    isPast || shown === figure
      ? ''
      : ` The marketplace shows ${shown === null ? 'no figure' : figureText(shown, stock)}.`;
  return `${name} ${is} at ${figureText(figure, stock)}: ${parts.join(', ')}.${sold}${differs}`;
}

/** @param known null: a moment of the past is told */
function presence({ kind, name, sides, link, isPast }: Facts, known: ListsKnown | null): string {
  const [there, here] = [sides.marketplace.fields, sides.erp.fields];
  const is = isPast ? 'was' : 'is';
  const state = (shown: typeof there, where: string) => {
    const status = shown?.['status'];
    return typeof status === 'string' ? `${status} ${where}` : where;
  };
  const what = kind === 'product' ? name : `${kind[0]?.toUpperCase()}${kind.slice(1)} ${name}`;
  const [onMarketplace, inErp] = [state(there, 'on the marketplace'), state(here, 'in the ERP')];
  if (there === null && here === null) {
    return isPast ? `The state of ${what} at that moment is not on record.` : `${what} is known on neither side.`;
  }
  if (here === null) return `${what} ${is} ${onMarketplace}.${known === null ? '' : absence('The ERP', known.erp)}`;
  if (there === null)
    return `${what} ${is} ${inErp}.${known === null ? '' : absence('The marketplace', known.marketplace)}`;
  const linked = link?.state === 'linked' || known === null ? '' : known.links ? ' They are not linked.' : UNCOMPARED;
  return `${what} ${is} ${onMarketplace}, and ${inErp}.${linked}`;
}

const UNCOMPARED = ' Whether they belong together is not known yet: the lists have not been compared.';

/** A list that has not been read to its end does not tell what is missing. */
function absence(side: string, isKnown: boolean): string {
  return isKnown ? ` ${side} does not show it.` : ` ${side} has not been read to the end yet, so it may be there too.`;
}

export type Going = Omit<Parts, 'what'>;

/** A cause's sentence without the full stop, and its next step. */
interface Voice {
  readonly sentence: (why: Why) => string;
  readonly step: (why: Why) => string;
}

type Why = FlowNow['holds'][number];

const VOICES: Readonly<Record<Words, (told: Pick<Facts, 'kind' | 'sides'>) => Voice>> = {
  terminal: () => ({ sentence: ({ text }) => text.replace(/\.$/, ''), step: ({ next }) => next.trim() }),
  screen: (told) => ({ sentence: (why) => shopSentence(told, why), step: (why) => stepOnScreen(why).trim() }),
};

/** For a shop, without the full stop. A product has its name. */
export function shopSentence(told: Pick<Facts, 'kind' | 'sides'>, why: Why): string {
  return sentenceInShop(why, { product: productName(told) }).replace(/\.$/, '');
}

/** null: no product, or no name on either side. */
export function productName({ kind, sides }: Pick<Facts, 'kind' | 'sides'>): string | null {
  const name = sides.marketplace.fields?.['name'] ?? sides.erp.fields?.['name'];
  return kind === 'product' && typeof name === 'string' ? name : null;
}

/** A doubt comes first, since nothing goes on before a person decides it. */
function doubtOf(flows: readonly FlowNow[], words: Words, voice: Voice): Going | null {
  for (const { flow, doubts } of flows) {
    const [first] = doubts;
    if (first === undefined) continue;
    const { evidence, choices } = first;
    const told = evidence === null ? 'nobody knows what became of it' : voice.sentence(evidence);
    const said = words === 'screen' ? DECIDE_DOUBT : `Say what became of it: ${choices.join(', or ')}.`;
    return {
      why: `A write${words === 'screen' ? '' : ` of ${flow}`} is in doubt: ${told}.`,
      next: evidence === null ? said : voice.step(evidence),
    };
  }
  return null;
}

/** The most urgent reason: a flow that waits for a person comes before a write. */
function nextOf(
  flows: readonly FlowNow[],
  { away, stock, idle }: Pick<Facts, 'away' | 'stock'> & Pick<Beside, 'idle'>,
  words: Words,
  voice: Voice,
): Going {
  for (const { state, flow, holds, writes } of flows) {
    if (state !== 'held' && state !== 'failed') continue;
    const why = holds[0] ?? writes.find(({ stoppedBy }) => stoppedBy !== null)?.stoppedBy ?? null;
    const isBraked = PLAN_CODES.some((code) => code === why?.code);
    const word = state === 'failed' ? 'has failed' : isBraked ? 'waits for an approval' : 'is held';
    const told = why === null ? 'see below' : voice.sentence(why);
    return {
      why: `${words === 'screen' ? 'It' : `Its ${flow}`} ${word}: ${told}.`,
      next: why === null ? '' : voice.step(why),
    };
  }
  const [write] = flows.flatMap((flow) => flow.writes);
  if (write !== undefined) return { why: '', next: `What comes next is to ${writeText(write)}.` };
  if (flows.some(({ isWaiting }) => isWaiting)) return { why: '', next: 'It waits to be looked at.' };
  const [told] = flows.flatMap(({ alerts }) => alerts);
  if (told !== undefined) return { why: `${capital(voice.sentence(told))}.`, next: voice.step(told) };
  if (idle !== null) return idle;
  if (stock !== null && stock.shown !== stock.figure) return { why: '', next: 'Nothing is to be written for it now.' };
  return { why: '', next: away !== null ? 'It was in step when both sides were read last.' : 'It is in step.' };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function awaySentence({ away }: Facts): string[] {
  if (away === null) return [];
  const { side, since, refuses } = away;
  const told = sideText({ side, sinceMs: Date.parse(since), ...(refuses ? { refuses } : {}) });
  return [`It cannot be looked at now: ${told}.`];
}
