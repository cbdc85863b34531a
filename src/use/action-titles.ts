import { withoutBrake } from '../domain/action.ts';
import { moneyText } from '../domain/money-text.ts';
import { targetInShop } from '../domain/target-text.ts';

/** Kinds of writes in everyday words. */
const WRITES: Readonly<Record<string, string>> = {
  'product.create': 'create the listing',
  'product.patch': 'change the listing',
  'product.price': 'change the price',
  'product.archive': 'archive the listing',
  'product.restore': 'bring the listing back',
  'product.link': 'link the listing',
  'product.relink': 'link another listing',
  'product-line.create': 'create the product line',
  'images.upload': 'add an image',
  'images.remove': 'remove an image',
  'assignments.write': 'set who may buy it',
  'stock.write': 'set the stock',
  'facility-stock.reconcile': 'set the stock of a facility',
  'facility-stock.follow': 'look what became of a stock figure',
  'batch-out.create': 'create the batch',
  'batch-out.patch': 'change the batch',
  'batch-out.link': 'link the batch',
  'order-in.create': 'enter the order in the ERP',
  'order-in.update': 'change the order in the ERP',
  'order-in.enter': 'enter an order of the past in the ERP',
  'order-in.link': 'link the order',
  'order-in.follow': 'link another order of the ERP',
  'order-in.mark': 'note the number of the ERP on the order',
  'order-in.transition': 'set the status of the order',
  'order-in.lines': 'change the lines of the order',
  'order-in.line-remove': 'remove a line of the order',
  'order-in.charges': 'change the charges of the order',
  'product-in.create': 'create the product in the ERP',
  'order-out.create': 'create the order on the marketplace',
  'transport-in.tell': 'tell the ERP of the transport',
  'approval-out.tell': 'tell the verdict on the purchase order',
  'payment-in.create': 'record the payment in the ERP',
  'payment-in.link': 'link the payment',
  'payment-out.create': 'record the payment on the marketplace',
  'payment-out.link': 'link the payment',
  'payment-out.relink': 'link another payment',
  'customer-in.create': 'create the customer in the ERP',
  'customer-out.create': 'create the customer on the marketplace',
  'customer-out.patch': 'change the customer',
  'customer-out.discount': 'change the discount of the customer',
  'customer-out.price-schedule': 'change the price schedule of the customer',
  'customer-out.address': 'change an address of the customer',
  'customer-out.archive': 'archive the customer',
  'customer-out.restore': 'bring the customer back',
  'customer-out.link': 'link the customer',
  'customer-out.relink': 'link another customer',
};

/** Acts of people, and the program's own notes. */
const ACTS: Readonly<Record<string, string>> = {
  pause: 'pause',
  resume: 'go on after a pause',
  'brake.approve': 'approve',
  'brake.drop': 'drop',
  'brake.veto': 'leave out',
  'brake.restore': 'take a drop back',
  'map.link': 'link',
  'map.unlink': 'unlink',
  'map.refuse': 'say that they are not the same',
  'map.reconsider': 'say that they may be the same',
  'work.again': 'look at what is held afresh',
  'job.resolve': 'say what became of a write',
  'job.replay': 'look at it afresh',
  'job.replay.result': 'end of a fresh look',
  'job.discard': 'discard a failed job',
  'sides.try': 'try both sides again',
  'events.resend': 'look at a webhook once more',
  'plan.make': 'make a plan',
  'plan.approve': 'approve a plan',
  'plan.apply': 'apply a plan',
  'plan.applied': 'end of applying a plan',
  'product.leave-archived': 'leave the listing archived',
  'product.ask-back': 'bring the listing back',
  'product.ask-again': 'ask about the listing again',
  'strategy.approve': 'approve another strategy',
  strategy: 'another strategy',
  'user.password': 'set a password',
  'user.link': 'make a log-in link',
  rebuild: 'rebuild the records',
  'config.mode': 'another mode',
  alert: 'alert',
  forget: 'forget old records',
  rewritten: 'the other side keeps another value',
  'read.gone': 'gone from a list',
  'read.hole': 'read what was missed',
  'read.pulled-back': 'read a list from its beginning',
};

/** `set the stock`; an unknown action is its own title. */
export function actionTitle(action: string): string {
  const kind = withoutBrake(action);
  if (kind === 'drift') return 'another figure than expected';
  return WRITES[kind] ?? ACTS[kind] ?? action;
}

/** `change the price: listing 1` for `product.price listing 1`. */
export function targetText(target: string): string {
  const [first = '', ...rest] = target.split(' ');
  const title = WRITES[withoutBrake(first)];
  return title === undefined ? targetInShop(target) : `${title}: ${targetInShop(rest.join(' '))}`;
}

interface Write {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** `set the stock: listing 70 (SB-1), available stock from 93 to 38` */
export function writeText({ action, target, ...values }: Write): string {
  const [before, after] = [values.before, values.after].map((value) => (value === null ? null : moneyText(value))) as [
    string | null,
    string | null,
  ];
  const from = before === null ? '' : ` from ${before}`;
  const to = after === null ? '' : before === null ? `, as ${after}` : ` to ${after}`;
  return `${actionTitle(action)}: ${targetInShop(target)}${after === null ? '' : from}${to}`;
}
