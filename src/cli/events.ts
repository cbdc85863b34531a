import { type Command, Option } from 'commander';
import { accountNames } from '../use/accounts.ts';
import { idsNamed } from '../use/entity.ts';
import {
  eventNamed,
  followEvents,
  resendEvent,
  shownEvent,
  shownWhole,
  triggerEvent,
  type WebhookEvent,
} from '../use/events.ts';
import { KNOWN_ROWS } from '../use/followed.ts';
import type { Opened } from '../use/open.ts';
import { EXIT } from './exit.ts';
import { wholeNumber } from './options.ts';
import { type Cli, note, print, printJson, stream, streamLines } from './output.ts';
import { stopOnSignals } from './signals.ts';
import { shownInstant } from './table.ts';
import { onRecords, onStore, type VerbOptions } from './with-store.ts';

const LATEST = 50;
const MOST = 1_000;
const KINDS = ['orders', 'products'] as const;
/** Ids of an order and a listing that do not exist. */
const NOBODY = { orders: 'test-event', products: '1' } as const;

export const help = `
Webhooks are kept for as long as retention.inbox says. "trigger" signs a webhook as the marketplace would and sends it to this
daemon's own receiver: what is answered shows whether the address and the secret are right. A webhook only says where to look,
so a test one changes nothing.

Examples:
  stockbridge events list --kind orders
  stockbridge events show 17
  stockbridge events resend 17
  stockbridge events listen
  stockbridge events trigger`;

interface Chosen extends VerbOptions {
  readonly kind?: (typeof KINDS)[number];
  readonly entity?: string;
  readonly limit: number;
}

/** `events list|show|resend|listen|trigger`: received and test webhooks. */
export function define(command: Command, cli: Cli): void {
  const kind = () => new Option('--kind <kind>', 'of this kind only').choices(KINDS);
  command
    .command('list')
    .description('List the webhooks that came, the newest last')
    .option('--account <name>', 'of this account only')
    .addOption(kind())
    .option(
      '--entity <name>',
      'that name this order or listing: by its number, SKU or id on either side, or a beginning of one',
    )
    .option('--limit <number>', 'how many', wholeNumber(1, MOST), LATEST)
    .option('--json', 'print JSON')
    .action(onRecords(cli, listEvents));

  command
    .command('show')
    .description('Show a webhook with its body as it came')
    .argument('<id>', 'its number in "events list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--json', 'print JSON')
    .action(onRecords(cli, showEvent));

  command
    .command('resend')
    .description('Have a webhook looked at once more, as if it had come now')
    .argument('<id>', 'its number in "events list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(
      onStore(cli, async (_cli, opened, id: number) => {
        await resendEvent(opened, id);
        note(cli, `Webhook ${id} is looked at with the next read of its list.`);
      }),
    );

  command
    .command('listen')
    .description('Print webhooks as they come, until Ctrl-C')
    .option('--account <name>', 'of this account only')
    .addOption(kind())
    .option('--json', 'print JSON lines')
    .action(onStore(cli, listen));

  command
    .command('trigger')
    .description('Send a signed test webhook to the own receiver')
    .option('--account <name>', 'for this account')
    .addOption(kind().default('orders'))
    .option('--entity <name>', 'the order number or listing id that it names; by default one that does not exist')
    .action(onStore(cli, trigger));
}

async function listEvents(cli: Cli, { config, store }: Opened, options: Chosen): Promise<void> {
  const { account, kind, entity, limit, json } = options;
  const accounts = accountNames(config, account);
  const entities = entity === undefined ? undefined : await idsNamed(store, accounts, entity);
  const events = (await store.inbox.latest(limit, { accounts, kind, entities })).toReversed();
  if (json) return printJson(cli, events.map(shownEvent));
  if (events.length === 0) note(cli, 'No such webhook is kept.');
  await streamLines(cli, events.map(eventText));
}

async function showEvent(cli: Cli, opened: Opened, id: number, { json }: VerbOptions): Promise<void> {
  const event = await eventNamed(opened, id);
  if (json) return printJson(cli, shownWhole(event));
  print(cli, eventText({ ...event, bytes: event.body.length }));
  print(cli, event.body.toString('utf8'));
}

async function listen(
  cli: Cli,
  { config, store }: Opened,
  { account, kind, json }: VerbOptions & Pick<Chosen, 'kind'>,
) {
  const choice = { accounts: accountNames(config, account), kind };
  const known = await store.inbox.latest(KNOWN_ROWS, {});
  const { signal, off } = stopOnSignals();
  note(cli, 'Webhooks are shown as they come. Ctrl-C ends it.');
  try {
    for await (const event of followEvents(store, choice, known, signal)) {
      if (!(await stream(cli, json ? JSON.stringify(shownEvent(event)) : eventText(event), signal))) return;
    }
  } finally {
    off();
  }
}

async function trigger(
  cli: Cli,
  opened: Opened,
  { account, kind = 'orders', entity = NOBODY[kind] }: VerbOptions & Pick<Chosen, 'kind' | 'entity'>,
): Promise<void> {
  const { url, status, answer } = await triggerEvent(opened, { account, kind, entity });
  print(cli, `${url} answered ${status}${answer === '' ? '' : `: ${answer}`}`);
  if (status !== 202) cli.exitCode = EXIT.failed;
}

function eventText({ id, account, kind, entity, bytes, receivedAtMs, processedAtMs }: WebhookEvent): string {
  const looked = processedAtMs === null ? 'waits' : `looked at ${shownInstant(processedAtMs)}`;
  const named = entity === null ? '' : ` ${entity}`;
  return `${id} ${shownInstant(receivedAtMs)} ${account} ${kind}${named}, ${bytes} bytes; ${looked}`;
}
