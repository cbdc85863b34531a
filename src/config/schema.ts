import { z } from 'zod';
import type { StrategyName } from '../domain/strategy.ts';
import { erpSection } from '../erp/connectors.ts';
import { ORDER_PAYMENT_TYPES } from '../marketplace/operations/orders.ts';
import { DAEMON_NAME, dateTime, decimal, doc, duration, flag, listen, text } from '../settings/scalars.ts';
import { admin } from './admin.ts';
import { assignments } from './assignments.ts';
import { brakes } from './brakes.ts';
import * as check from './contradictions.ts';
import { customers } from './customers.ts';
import { facilities } from './facilities.ts';
import { marketplace } from './marketplace.ts';
import { names } from './names.ts';
import { notify } from './notify.ts';
import { orders } from './orders.ts';
import { pages } from './pages.ts';
import { products } from './products.ts';
import { state } from './state.ts';
import { traces } from './traces.ts';

/**
 * Every key of the configuration file, its default and its meaning, spelled as in YAML. The output has defaults filled
 * in and full names of strategies; `resolve.ts` converts it for the program.
 */

export const STRATEGY_LETTERS = { a: 'fulfilled-quantity', b: 'submitted-available', c: 'submitted-quantity' } as const;
const strategyName = (name: StrategyName | keyof typeof STRATEGY_LETTERS): StrategyName =>
  name === 'a' || name === 'b' || name === 'c' ? STRATEGY_LETTERS[name] : name;

export const inventory = z
  .strictObject({
    strategy: doc(
      z.enum([STRATEGY_LETTERS.a, STRATEGY_LETTERS.b, STRATEGY_LETTERS.c, 'a', 'b', 'c']).transform(strategyName),
      'When orders are exported, which field is written, and when the ERP reserves: one indivisible choice. ' +
        'a fulfilled-quantity, b submitted-available, c submitted-quantity.',
    ),
    write: doc(
      z.enum(['available_inventory', 'quantity']),
      'The field that is written, for submitted-available only: available_inventory unless set. An order that is submitted ' +
        'during a write does not disturb quantity; one that is fulfilled does not disturb available_inventory.',
    ).optional(),
    buffer: doc(decimal().prefault('0'), 'Units kept back from every listing.'),
    line_quantity_in: doc(
      z.enum(['units', 'cases']).prefault('units'),
      "What an order line's quantity on the marketplace counts: ERP units, or cases of unit_multiplier units.",
    ),
    stock_in: doc(
      z.enum(['units', 'cases']),
      'What the stock figures of a listing count: the same as the order lines unless set. Only whole cases are offered.',
    ).optional(),
  })
  .superRefine(check.inventory, { when: check.always });

const payments = z
  .strictObject({
    to_marketplace: doc(flag().prefault(false), "Record payments received in the ERP on the marketplace's orders."),
    to_erp: doc(flag().prefault(false), 'Record payments of the marketplace in the ERP, which has to take them.'),
    types: doc(
      z.record(text(100), z.enum(ORDER_PAYMENT_TYPES)).prefault({}),
      "The marketplace's payment type for each ERP method. A method that is spelled like a type need not be listed.",
    ),
    from: doc(
      dateTime(),
      'Payments made before this instant are not carried over. Without it, all are carried over.',
    ).optional(),
    poll: doc(duration('100ms').prefault('5m'), "How often the marketplace's payments are read."),
  })
  .superRefine(check.payments, { when: check.always });

const account = z.strictObject({
  marketplace: doc(marketplace, "The brand's side of the marketplace."),
  erp: doc(erpSection, "The brand's ERP."),
  currency: doc(
    text(3)
      .regex(/^[A-Z]{3}$/, 'expected a currency code, such as USD')
      .prefault('USD'),
    'The currency of all prices. An entity in another currency is held.',
  ),
  inventory: doc(inventory, 'How stock is kept in step.'),
  products: doc(products.prefault({}), 'How listings are kept in step.'),
  orders: doc(orders.prefault({}), 'How orders are exported.'),
  customers: doc(
    customers,
    'How customers are kept in step. Without it, only the customers of orders are looked at.',
  ).optional(),
  assignments: doc(
    assignments,
    'The customers and groups that may buy each product. Without it, assignments are not looked at.',
  ).optional(),
  payments: doc(payments, 'How payments are kept in step. Without it, they are not looked at.').optional(),
  facilities: doc(
    facilities,
    'Stock is kept by facility and batch, with inventory commands. Without it, on the listing as a whole.',
  ).optional(),
  brakes: doc(brakes.prefault({}), 'Writes beyond these limits wait for an operator.'),
  pages: doc(
    pages.prefault({}),
    'The pages of both sides that the screen links to. Without them, it shows the ids alone.',
  ),
  daemons: doc(
    z.array(z.string().regex(DAEMON_NAME, 'expected up to 64 letters, digits and . _ -')).min(1).max(50),
    'With `store: postgres`, the names of the only daemons that may work this account. A name is that of the machine, or of "run --name". Without it, any daemon may.',
  ).optional(),
});
export type AccountFile = z.output<typeof account>;

const sections = z.strictObject({
  version: doc(z.literal(1, 'expected 1, the version of this format').prefault(1), 'The version of this format.'),
  mode: doc(
    z.enum(['live', 'dry-run']).prefault('live'),
    'dry-run observes and plans, and writes nothing to either side.',
  ),
  log_level: doc(z.enum(['debug', 'info', 'warn', 'error']).prefault('info'), 'The lowest level that is logged.'),
  state,
  webhooks: doc(
    z.strictObject({ listen: doc(listen().prefault('0.0.0.0:8080'), 'Where webhooks arrive.') }).prefault({}),
    'The webhook receiver: POST /webhooks/{account}/orders and /products.',
  ),
  admin: doc(admin.prefault({}), 'Health, metrics, the admin API and the screen.'),
  retention: doc(
    z
      .strictObject({
        journal: doc(
          duration('1d').prefault('90d'),
          'How long the record of writes is kept: at least a day, because brakes count the writes of a day.',
        ),
        inbox: doc(duration('1h').prefault('7d'), 'How long received webhooks are kept.'),
        orders: doc(
          duration('30d').optional(),
          'How long after an order is over on both sides its customer, addresses and notes are kept. Without it, they are kept until the customer is forgotten.',
        ),
        customers: doc(
          duration('30d').optional(),
          'How long a customer that both sides have is kept after its last order is over. Without it, it is kept until somebody has it forgotten.',
        ),
      })
      .prefault({}),
    'How long records are kept.',
  ),
  notify: doc(
    notify.prefault([]),
    'The channels that tell people what needs them: a message when a cause opens, and one when it closes.',
  ),
  traces: doc(
    traces,
    'Where spans of jobs and calls are sent, for OpenTelemetry. Without it, no spans are made.',
  ).optional(),
  shutdown_timeout: doc(duration('0s').prefault('20s'), 'How long work in progress may take to end on SIGTERM.'),
  accounts: doc(
    z
      .record(z.string(), account)
      .superRefine(check.accountNames, { when: check.always })
      .meta({ propertyNames: { type: 'string', pattern: check.ACCOUNT_NAME.source } })
      .prefault({}),
    'One entry for each pair of marketplace company and ERP, by a name of your choice.',
  ),
  accounts_from: doc(text().optional(), 'A folder with further accounts: NAME.yaml holds the section `accounts.NAME`.'),
});

export const configFile = sections
  .superRefine(check.whole, { when: check.always })
  .superRefine(names, { when: check.always });
export const accountlessFile = sections.omit({ accounts: true });
export type ConfigFile = z.output<typeof configFile>;
