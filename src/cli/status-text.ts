import { ageText } from '../domain/age.ts';
import { TURNS } from '../domain/causes/cause.ts';
import { counted } from '../domain/counted.ts';
import { type Because, CALL_KINDS, type CallKind } from '../domain/pace.ts';
import { awayText } from '../use/away.ts';
import type { CollectionCoverage } from '../use/coverage.ts';
import type { DaemonStatus } from '../use/daemon-status.ts';
import type { Need } from '../use/needs.ts';
import { type AccountStatus, type LeftOutStatus, type Status, secretText } from '../use/status.ts';
import type { StrategyStatus } from '../use/strategy.ts';
import { headline, stateSentences, type Verdict } from '../use/verdict.ts';
import { type Cli, lineWidth, paint } from './output.ts';
import { NO_BREAK, type Style } from './paint.ts';
import { entry, hangingText, shownInstant, table } from './table.ts';

const WIDTH = 80;
const INDENT = ' '.repeat(11);
/** The most kinds of needs shown; one line sums up the rest. */
const NEEDS_SHOWN = 12;

interface TextContext {
  readonly paint: (style: Style, text: string) => string;
  readonly width: number;
}

/** At most 80 characters wide, or as the terminal; only a longer word exceeds it. */
export function statusText(cli: Cli, status: Status): string[] {
  const context: TextContext = {
    paint: (style, text) => paint(cli, cli.stdout, style, text),
    width: lineWidth(cli, WIDTH),
  };
  return [
    ...daemonText(status.daemon, context),
    ...item(context, 'data', status.dir),
    ...(status.mode === 'dry-run' ? item(context, 'mode', 'dry-run: nothing is written to either side') : []),
    ...status.leftOut.flatMap((account) => ['', ...leftOutText(account, context)]),
    ...status.accounts.flatMap((account) => ['', ...accountText(account, status.daemon, context)]),
  ];
}

/** An account with an unusable configuration. */
function leftOutText({ account, goesOn, counts, flows, needs, waits }: LeftOutStatus, context: TextContext): string[] {
  const [fault, ...rest] = needs.map((need) => [need]);
  const name = `${context.paint('bold', account)}  ${goesOn ? 'runs with its earlier settings' : 'not started'}`;
  return [
    account === '' ? 'configuration' : name,
    ...needsText('needs you', fault ?? [], context),
    ...(counts === null ? [] : [...item(context, 'state', `${headline(counts)}.`), ...flowsText({ flows }, context)]),
    ...rest.flatMap((need) => needsText('', need, context).slice(1)),
    ...(waits.length === 0 ? [] : needsText('waits', waits, context)),
  ];
}

function item({ width }: TextContext, label: string, text: string): string[] {
  return hangingText(text, width, label.padEnd(INDENT.length), INDENT);
}

/** Breaks lines only between parts. */
function items(context: TextContext, label: string, parts: readonly string[]): string[] {
  return item(context, label, parts.map((part) => part.replaceAll(' ', NO_BREAK)).join(', '));
}

function daemonText({ roles, notReady }: DaemonStatus, context: TextContext): string[] {
  if (roles.length === 0)
    return [`daemon     ${context.paint('yellow', 'not running')}: start it with "stockbridge run"`];
  const processes = Map.groupBy(roles, ({ process }) => process);
  const running = [...processes].map(
    ([process, of]) => `${of.map(({ role }) => role).join(', ')} (process ${process})`,
  );
  const ready = notReady === null ? '' : notReady.length === 0 ? '; ready' : '; not ready:';
  return [
    ...item(context, 'daemon', `running: ${running.join('; ')}${ready}`),
    ...(notReady ?? []).flatMap((reason) =>
      entry(reason, context.width, INDENT).map((line) => context.paint('red', line)),
    ),
  ];
}

function accountText(status: AccountStatus, daemon: DaemonStatus, context: TextContext): string[] {
  const { account, strategy, quota, paused, needs, waits } = status;
  const coming = comingText(strategy);
  return [
    `${context.paint('bold', account)}  ${strategy.inForce ?? strategy.configured}`,
    ...stateText(status.verdict, context),
    ...workerText(status, context),
    ...(coming === null ? [] : item(context, 'strategy', coming).map((line) => context.paint('yellow', line))),
    ...readsText(status, daemon, context),
    ...(quota === null ? [] : item(context, 'quota', quotaText(quota))),
    ...paceText(status, daemon, context),
    ...webhooksText(status, context),
    ...ordersText(status, context),
    ...historyText(status, context),
    ...flowsText(status, context),
    ...driftText(status, context),
    ...unlinkedText(status, context),
    ...forgottenText(status, context),
    ...secretsText(status, context),
    ...paused.flatMap(({ flow, reason }) =>
      item(context, 'paused', `${flow}: ${reason}`).map((line) => context.paint('yellow', line)),
    ),
    ...(needs.length === 0
      ? [`needs you  ${context.paint('green', 'nothing')}`]
      : needsText('needs you', needs, context)),
    ...(waits.length === 0 ? [] : needsText('waits', waits, context)),
  ];
}

function stateText(verdict: Verdict, context: TextContext): string[] {
  const at = verdict.oldest === null ? '' : shownInstant(verdict.oldest.readAtMs);
  const sentences = stateSentences(verdict).map((sentence) => sentence.replace('{time}', at));
  const style = verdict.state === 'in-step' && verdict.slow.length === 0 ? 'green' : 'yellow';
  return item(context, 'state', sentences.join(' ')).map((line) => context.paint(style, line));
}

function workerText({ worker }: AccountStatus, context: TextContext): string[] {
  if (worker === null) return [];
  if (worker === 'nobody') return item(context, 'worked by', 'nobody').map((line) => context.paint('red', line));
  return item(context, 'worked by', `${worker.name}, for ${ageText(worker.forMs)}`);
}

/** Where the secrets come from, while a side rejects one. */
function secretsText({ needs, secrets }: AccountStatus, context: TextContext): string[] {
  if (!needs.some(({ example }) => example.code.endsWith('-credentials'))) return [];
  return secrets.flatMap((secret) => item(context, 'secrets', secretText(secret)));
}

/** Unlinked listings. An unlinked product will be listed, and needs no line. */
function unlinkedText({ unlinked: { listings }, areLinksKnown }: AccountStatus, context: TextContext): string[] {
  if (listings === 0 || !areLinksKnown) return [];
  const are = listings === 1 ? 'listing is' : 'listings are';
  return item(context, 'unlinked', `${listings} ${are} linked to nothing: stockbridge map unlinked`);
}

function forgottenText({ forgotten }: AccountStatus, context: TextContext): string[] {
  const { orders, erpOrders, customers } = forgotten;
  const parts = [
    [orders, 'marketplace orders'],
    [erpOrders, 'ERP orders'],
    [customers, 'customers'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${what} ${count}`]));
  return parts.length === 0 ? [] : items(context, 'forgotten', parts);
}

/** The age of each list. Without a reading daemon none is late. */
function readsText({ reads }: AccountStatus, { roles }: DaemonStatus, context: TextContext): string[] {
  const isLate = roles.length > 0 && reads.some(({ late }) => late);
  const parts = reads.map(({ collection, ageMs, late, holes }) => {
    const age = ageMs === null ? 'never' : `${ageText(ageMs)} ago`;
    const odd = [...(isLate && late ? ['late'] : []), ...(holes === 0 ? [] : [counted(holes, 'hole')])];
    return `${collection} ${age}${odd.length === 0 ? '' : ` (${odd.join(', ')})`}`;
  });
  return items(context, 'read', parts).map((line) => (isLate ? context.paint('yellow', line) : line));
}

function webhooksText({ webhooks }: AccountStatus, context: TextContext): string[] {
  const watched = webhooks.filter(({ changes, silentForMs }) => changes > 0 || silentForMs !== null);
  const parts = watched.map(({ kind, changes, lost, silentForMs }) =>
    silentForMs === null ? `${kind} ${lost} of ${changes} lost` : `${kind} silent for ${ageText(silentForMs)}`,
  );
  if (parts.length === 0) return [];
  const isSilent = watched.some(({ silentForMs }) => silentForMs !== null);
  return items(context, 'webhooks', parts).map((line) => (isSilent ? context.paint('yellow', line) : line));
}

function quotaText({ perMinute, perSecond, closedForMs, waiting }: NonNullable<AccountStatus['quota']>): string {
  const others = perMinute.others > 0 ? `, ${perMinute.others} more by others` : '';
  const queue = Object.values(waiting).some((count) => count > 0) ? '; calls are waiting' : '';
  const closed = closedForMs > 0 ? `; closed by the marketplace for ${Math.ceil(closedForMs / 1000)} s` : '';
  const minute = `${perMinute.used} of ${perMinute.limit} calls in this minute${others}`;
  return `${minute}, ${perSecond.used} of ${perSecond.limit} in this second${closed}${queue}`;
}

/** Why the limit of concurrent calls is what it is, after "because". */
const BECAUSE: Readonly<Record<Because, string>> = {
  beginning: 'the work has just begun',
  fast: 'it answers as fast as it did',
  slower: 'more of them made it slower',
  overload: 'with more of them, it did not answer in time or refused calls',
  'time-out': 'with more of them, an answer could come too late',
  most: 'no more are allowed',
};

/** Without a daemon there are no calls. */
function paceText({ pace }: AccountStatus, { roles }: DaemonStatus, context: TextContext): string[] {
  if (roles.length === 0) return [];
  const parts = CALL_KINDS.flatMap((kind: CallKind) => {
    const of = pace[kind];
    return of === undefined ? [] : [`${counted(of.limit, kind)} at once, because ${BECAUSE[of.because]}`];
  });
  return parts.length === 0 ? [] : item(context, 'ERP takes', parts.join('; '));
}

function ordersText({ orders }: AccountStatus, context: TextContext): string[] {
  if (orders.length === 0) return item(context, 'orders', 'none');
  return items(
    context,
    'orders',
    orders.map(({ status, count, known }) => `${status} ${count}${known ? '' : ' (unknown status: held)'}`),
  );
}

function historyText({ history: { from, history } }: AccountStatus, context: TextContext): string[] {
  if (from === null || history === 0) return [];
  return item(
    context,
    'history',
    `${counted(history, 'order')} from before ${shownInstant(Date.parse(from))}: not entered in the ERP`,
  );
}

function flowsText({ flows }: Pick<AccountStatus, 'flows'>, context: TextContext): string[] {
  if (flows.every(({ pending, held, failed }) => pending + held + failed === 0))
    return item(context, 'work', 'nothing is left');
  const rows = flows.map(({ flow, pending, held, failed, oldestPendingMs }) => [
    flow,
    String(pending),
    oldestPendingMs === null ? '' : `since ${ageText(oldestPendingMs)}`,
    String(held),
    String(failed),
  ]);
  const lines = table([['', 'pending', '', 'held', 'failed'], ...rows], [1, 3, 4]);
  return lines.map((line, index) => `${(index === 0 ? 'work' : '').padEnd(INDENT.length)}${line}`);
}

function driftText({ drift }: AccountStatus, context: TextContext): string[] {
  if (drift.length === 0) return [];
  const parts = drift.map(({ kind, count }) => `${kind} ${count}`);
  return item(context, 'drift', `${parts.join(', ')} in the last day`);
}

function needsText(label: string, needs: readonly Need[], context: TextContext): string[] {
  const shown = needs.some(({ all }) => all !== undefined) ? needs : needs.slice(0, NEEDS_SHOWN);
  const lines = shown.flatMap((need) => needText(need, context));
  const rest = needs.length - shown.length;
  if (rest > 0) lines.push(`${INDENT}and ${rest} more kinds: "stockbridge status --all" shows them`);
  return [label, ...lines];
}

function needText({ kind, count, about, example, away, all }: Need, context: TextContext): string[] {
  const { turn, next } = example;
  const kindText = context.paint(turn === 'nobody' ? 'yellow' : 'red', kind);
  const head = `${String(count).padStart(7)}  ${kindText} ${about}: ${TURNS[turn]}`;
  const cases = all === undefined || kind === 'brake' ? [caseText(example, count === 1 || kind === 'brake')] : [];
  const said = [...cases, ...(all ?? []).map((one) => `${one.key}: ${one.text}`)];
  const unseen = away === null ? [] : [awayText(away)];
  return [head, ...[...said, ...unseen, `-> ${next}`].flatMap((one) => entry(one, context.width, INDENT))];
}

function caseText({ key, text }: Need['example'], isOnly: boolean): string {
  return `${isOnly ? '' : 'such as '}${key}: ${text}`;
}

/** The configured strategy's state while another is active; null: it is active. */
function comingText({ inForce, configured, standing }: StrategyStatus): string | null {
  if (inForce === null || standing.kind === 'in-force') return null;
  const named = `${inForce} is active, the configuration names ${configured}`;
  if (standing.kind === 'waits') return `${named}: the change waits for an approval`;
  return `${named}: the next start changes to it, since ${standing.why}`;
}

export function coverageText(cli: Cli, coverage: readonly CollectionCoverage[]): string[] {
  return [...Map.groupBy(coverage, ({ account }) => account)].flatMap(([account, collections], index) => [
    ...(index === 0 ? [] : ['']),
    paint(cli, cli.stdout, 'bold', account),
    ...collections.flatMap((one) => collectionText(cli, one)),
  ]);
}

const NAME_WIDTH = 15;

function collectionText(cli: Cli, { collection, covered, holes, ageMs, finding }: CollectionCoverage): string[] {
  const last = `${ageText(ageMs)} ago`;
  const [first, end] = [covered[0], covered.at(-1)];
  const reach = end?.to == null ? 'nothing is there' : `from ${first?.from ?? 'the beginning'} to ${end.to}`;
  const odd = finding === null ? '' : ` (${finding})`;
  const mend = holes.length === 0 ? 'no hole' : paint(cli, cli.stdout, 'yellow', `${holes.length} to be read again`);
  return [
    `  ${collection.padEnd(NAME_WIDTH)}${reach}`,
    `  ${' '.repeat(NAME_WIDTH)}read ${last}${odd}; ${mend}`,
    ...holes.map(({ from, to }) => `  ${' '.repeat(NAME_WIDTH)}hole: ${from ?? 'the beginning'} to ${to}`),
  ];
}
