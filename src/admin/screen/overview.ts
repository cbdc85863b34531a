import { z } from 'zod';
import { ageText } from '../../domain/age.ts';
import { stepOnScreen } from '../../domain/causes/on-screen.ts';
import { counted } from '../../domain/counted.ts';
import { isAboutSide, sideText } from '../../use/away.ts';
import type { DaemonStatus } from '../../use/daemon-status.ts';
import { type Harm, harmsOf, MOST_HARMS } from '../../use/harms.ts';
import { harmOf } from '../../use/needs.ts';
import type { AccountStatus } from '../../use/status.ts';
import { type Verdict, verdictSentences } from '../../use/verdict.ts';
import { firstDayPart } from './first-day.ts';
import { freshStrip } from './freshness.ts';
import { type Gathered, gather } from './gathered.ts';
import { harmRow } from './harm-row.ts';
import { type Content, type Html, html } from './html.ts';
import { linkSearchFields } from './linking.ts';
import { type PageContext, page } from './page.ts';
import { plots } from './plots.ts';
import { guideLink, time } from './show.ts';
import { stateParts } from './state-parts.ts';
import { sideShown, triedPart } from './tried.ts';

const query = z.object({
  /** Nothing is folded away. */
  all: z.literal('yes').optional().catch(undefined),
  ...linkSearchFields,
});

type Asked = z.output<typeof query>;

export const OVERVIEW = page({
  path: '/',
  section: 'overview',
  query,
  async show(context, asked) {
    const gathered = await context.overviews.get(context.account, () =>
      gather(context.opened, context.account, context.nowMs),
    );
    return { title: 'Overview', body: await overview({ ...context, nowMs: gathered.nowMs }, gathered, asked) };
  },
});

async function overview(context: PageContext, gathered: Gathered, asked: Asked): Promise<Html> {
  const { status, day } = gathered;
  const parts = status.accounts.map((account) => accountOverview(context, gathered, account, asked));
  return html`<div id="live" class="overview" data-live>
${status.mode === 'dry-run' ? html`<p class="notice">This is a dry run: nothing is written to either side.</p>` : null}
${status.leftOut.flatMap(({ account, needs }) => needs.filter(({ kind }) => kind === 'configuration').map(({ example }) => html`<p class="notice">${account === '' ? null : `${account}: `}${example.text}. ${stepOnScreen(example)}</p>`))}
${await Promise.all(parts)}
${folded('day', 'The last day', isCalm(status.accounts) || asked.all === 'yes', plots(day, context.nowMs))}
</div>`;
}

const isCalm = (accounts: readonly AccountStatus[]) => accounts.every(({ needs }) => needs.length === 0);

async function accountOverview(
  context: PageContext,
  gathered: Gathered,
  status: AccountStatus,
  asked: Asked,
): Promise<Html> {
  const { needs, waits } = status;
  const isAll = asked.all === 'yes';
  const { store } = context.opened;
  const [told, waiting] = [await harmsOf(context.account, store, needs), await harmsOf(context.account, store, waits)];
  const rows = await Promise.all(told.map((harm) => harmRow(context, harm, gathered.stakes, asked)));
  const waitRows = await Promise.all(waiting.map((harm) => harmRow(context, harm, gathered.stakes, asked)));
  const [first, rest] = [rows.slice(0, MOST_HARMS), rows.slice(MOST_HARMS)];
  const more = `${counted(rest.length, 'more thing')} that ${rest.length === 1 ? 'needs' : 'need'} somebody`;
  const needNobody = `${counted(waits.length, 'thing')} ${waits.length === 1 ? 'waits and needs' : 'wait and need'} nobody`;
  return html`${verdictPart(status, told)}
${workedBy(status)}
${rows.length < MOST_HARMS ? firstDayPart(context, gathered.firstDays.get(status.account) ?? null) : null}
${(gathered.status.daemon.notReady ?? []).filter((reason: string) => !isToldByNeeds(reason, status)).map((reason: NonNullable<DaemonStatus['notReady']>[number]) => html`<p class="notice">${reason}</p>`)}
${first.length === 0 ? null : html`<ul class="cards harms" aria-label="Needs somebody">${first}</ul>`}
${triedPart(context, status.away)}
${rest.length === 0 ? null : folded('more', more, isAll, html`<ul class="cards harms">${rest}</ul>`)}
${waits.length === 0 ? null : folded('waits', needNobody, isAll, html`<ul class="cards harms">${waitRows}</ul>`)}
${freshStrip(status.reads, gathered.day, context.nowMs)}
${folded('all', 'All lists, flows and calls, and the switch that stops writing', isAll, stateParts(context, status, gathered.day))}`;
}

/** A side that is away has a need of its own, with its act. */
function isToldByNeeds(reason: string, { account, needs }: AccountStatus): boolean {
  return needs.some(({ kind, about }) => kind === 'alert' && isAboutSide(reason, account, about));
}

function folded(id: string, title: string, isOpen: boolean, inside: Content): Html {
  return html`<details id="fold-${id}" class="fold"${isOpen ? html` open` : null}><summary>${title}</summary>${inside}</details>`;
}

/** The harm that is the worst of all, in a sentence. Lesser ones are told by the verdict. */
const WORST: readonly string[] = [
  'Buyers can order what is not there.',
  'Orders do not go on.',
  'A price waits for you.',
];

/** The marketplace shows none of it any more, so buyers can order no more. */
const OVERSOLD = 'Buyers have ordered what is not there.';

/** Nobody starts a program from the screen, which may be all that runs. */
const START = html`Have it started by whoever looks after the server: ${guideLink('running', 'how it is started')}. `;

/** The worst that is true, and below it how far the account is. */
function verdictPart({ account, verdict }: AccountStatus, harms: readonly Harm[]): Html {
  const [first, ...others] = sentences(verdict);
  const worst = Math.min(...harms.map(({ need }) => harmOf(need)));
  const isRunning = !['stopped', 'away', 'paused'].includes(verdict.state);
  const isOversold = harms.every(({ need }) => harmOf(need) > 0 || need.example.code === 'oversold');
  const title = isRunning ? (worst === 0 && isOversold ? OVERSOLD : WORST[worst]) : undefined;
  const start = verdict.state === 'stopped' ? [START] : [];
  const then = title === undefined ? [...start, ...others] : [first, ...others];
  return html`<h1 class="verdict"><span class="hidden">${account}: </span>${title ?? first}</h1>${then.length === 0 ? null : html`<p class="then">${then}</p>`}`;
}

/** The sentences of the verdict, with the times put in: first whether the account is in step, then the others. */
function sentences(of: Verdict): Html[] {
  const { oldest, away } = of;
  const put = (text: string, part: string, shown: Content): Content => {
    const [before = '', after] = text.split(part);
    return after === undefined ? text : html`${before}${shown}${after}`;
  };
  return verdictSentences(of).map((sentence) => {
    if (away !== null && sentence.includes(sideText(away)))
      return html`${put(sentence, sideText(away), sideShown(away))} `;
    return html`${put(sentence, '{time}', oldest && time(oldest.readAtMs))} `;
  });
}

/** The daemon that works the account, where daemons share the accounts. */
function workedBy({ worker }: AccountStatus): Content {
  if (worker === null) return null;
  if (worker === 'nobody')
    return html`<p class="notice">No daemon works this account. Is one started, and is it named in daemons?</p>`;
  return html`<p class="soft">Worked by ${worker.name}, for ${ageText(worker.forMs)}.</p>`;
}
