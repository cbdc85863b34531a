import type { FailureKind, Side } from '../failure.ts';
import type { Code, ParamsOf, ShownCause } from './cause.ts';

/*
 * Next steps on the admin screen, for codes whose own next step names a CLI command. A code that is missing here uses
 * its own next step.
 */

type Steps = { readonly [Name in Code]?: string | ((params: ParamsOf<Name>) => string) };

const DECIDE = 'Review the writes on the page Brakes, then approve or drop them.';
export const DECIDE_DOUBT = 'Decide on its own page, or on the page Needs, whether the write was applied.';
const IN_DOUBT = 'Nothing to do, unless the page Needs shows that its result is unknown.';
const RESUME = 'To continue, end the pause on the overview.';
const SAME = 'If it is the same, link it on its page. If not, say so there.';
const LINK_CUSTOMER = 'link the right customer on its page.';
const FAILED: Readonly<Partial<Record<FailureKind, string>>> = {
  unavailable:
    'Start it again, or correct its address (or your own module). Waiting work then continues automatically. Replay the failed jobs.',
  credentials:
    'If the key has expired, create a new one there, and store it at the place that the configuration names. Then press "Try both sides again" on the overview. A key from an environment variable needs a restart of Stockbridge.',
  forbidden: 'Give the key the permission. Then replay the job.',
  'not-found': 'Check why it is not there any more. Then replay the job.',
  'refused-for-now': 'Wait until the reason in the answer is gone. Then replay the job.',
  refused: 'Fix the reason in the answer. Then replay the job.',
  'invalid-answer':
    'The answer does not fit the documented shape: report it to those who run that side. Then replay the job.',
  incomplete: 'Wait until that side answers completely. Then replay the job.',
};
const SIDES = ['marketplace', 'erp', 'redis'] as const satisfies readonly Side[];

/** The steps that link or unlink. */
const LINK_STEPS: Steps = {
  'several-listings': 'Link the right one on its page, and archive the others on the marketplace.',
  'listing-of-another': 'If it belongs to this product, link it on its page. Otherwise correct the SKU of one of them.',
  'listing-gone':
    'To have a new listing created, set products.create to true and unlink the old one on its page. If the product is not to be sold there any more, deactivate it in the ERP.',
  'sku-reused': ({ product, listing }) =>
    `If they are the same, link listing ${listing} to ${product} on its page. Otherwise archive listing ${listing} on the marketplace: a new listing is then created for the product.`,
  'product-became-another': ({ product, listing, other }) =>
    `If it is the product of listing ${other}, link that listing to ${product} on its page. If it is still the product of listing ${listing}, give that listing the new name on the marketplace.`,
  'ids-linked-otherwise': 'If the existing link is wrong, link it to the right one on its page.',
  'batch-gone': 'To have a new batch created for the lot, unlink this one on its page.',
  'batch-several': 'Link one of them on the page of the lot.',
  'erp-order-gone': 'Restore it in the ERP, or unlink it on the page of the order.',
  'erp-order-of-another': ({ order, erpOrder, other }) =>
    other === erpOrder
      ? `If the ERP was restored from a backup and gave the id again, enter order ${order} in the ERP anew, clear its external_id on the marketplace, and link it to the new ERP order on its page. If it is the same order, unlink it on its page and link it again.`
      : `If ERP order ${erpOrder} is that of order ${other}, as after the ERP was restored from a backup and gave the id again, link it on the page of order ${other}. Then clear the external_id of order ${order} on the marketplace, enter it in the ERP anew, and link it to that. If it is that of order ${order}, correct its number in the ERP.`,
  'external-id-differs': 'Correct the external_id on the marketplace, or link the right order on its page.',
  'line-quantity-finer':
    'Change the quantity on the marketplace, or enter the order in the ERP by hand and link it on its page.',
  'order-customer-gone':
    'If another ERP customer has replaced it, link that one on the page of the customer. If not, unlink the customer there.',
  'customer-unlinked': 'Link the customer on its page.',
  'erp-order-customer-unknown': 'Give the ERP customer a marketplace_id, or link the customer on its page.',
  'customer-gone':
    'If it was erased on purpose, erase it in the ERP too, or set it inactive there. To have another one created, unlink it on its page.',
  'erp-customer-gone':
    'If another ERP customer has replaced it, link that one on the page of the customer. If not, unlink it there.',
  'customer-claims-another': `Correct the marketplace_id in the ERP, or ${LINK_CUSTOMER}`,
  'customer-inactive': 'Activate it in the ERP, or link another one on the page of the customer.',
  'customer-id-unknown': `Correct it, or ${LINK_CUSTOMER}`,
  'customers-alike': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-several': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-of-another': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-claimed': `Correct it, or ${LINK_CUSTOMER}`,
  'assignment-customers': 'Correct the customer in the ERP, or link it on its page.',
  'payment-gone':
    'If the money was received, unlink the payment on its page; with payments.to_marketplace, it is then recorded again. If it was not received, void the payment in the ERP.',
  'erp-payment-gone':
    'If the money was received, unlink the payment on its page; with payments.to_erp, it is then recorded again. If it was not received, delete the payment on the marketplace.',
  'payment-several': 'Link one of them on its page.',
  'could-be-listed': SAME,
  'could-be-known': SAME,
  'erp-has-sku': 'Link it on its page. The page of the product says why it is not linked automatically.',
  'ordered-and-archived':
    'Create the product in the ERP by hand, and link it on the page of the listing. Or restore the listing.',
  'listed-beside': ({ others: [first], sold }) =>
    `Archive listing ${first} on the marketplace, or link it to its own product on its page.${sold ? ' If it is the one to keep, move the link to it.' : ''}`,
  'product-unlinked': ({ product, sku, elsewhere }) =>
    elsewhere != null
      ? `If listing ${product} is the one to keep, link it to product ${elsewhere.product} on its page: the link is moved. If not, replace the line by one with listing ${elsewhere.listing}.`
      : `Link it to the ERP's product on the page of the order. ${sku === null ? 'If it was deleted on the marketplace, replace the line by one with another listing.' : `If the ERP does not have it yet, create it there with SKU ${sku}: it is then linked automatically.`}`,
};

const STEPS: Steps = {
  ...LINK_STEPS,
  'sku-still-listed':
    'Nothing to do if that listing gets its current SKU soon. Otherwise the page Needs shows why its product waits.',
  'archived-by-hand': 'Restore it here, or leave it archived. If it is not sold any more, deactivate it in the ERP.',
  'field-rewritten':
    'Nothing to do: the value is not written again until one of the two sides changes. If the shown value is wrong, enter a value in the ERP that the marketplace stores unchanged.',
  'product-paused': RESUME,
  paused: RESUME,
  'product-made-first': 'Nothing to do, unless the page Needs shows that the product is held.',
  'order-maybe-ours': IN_DOUBT,
  'customer-maybe-ours': IN_DOUBT,
  'erp-customer-maybe-ours': IN_DOUBT,
  'payment-like-another': IN_DOUBT,
  'brake-kind-waits': DECIDE,
  'brake-plan': DECIDE,
  'too-many-writes': DECIDE,
  'too-large-a-share': DECIDE,
  'price-moves-far': DECIDE,
  'price-moves-unmeasured': DECIDE,
  'approved-otherwise': DECIDE,
  'brake-refused': 'Nothing to do: the write stays held until the value changes.',
  'fall-refused':
    "Approve the write on the page Brakes after all, or correct the ERP's stock. Until then, orders of this SKU may have to be cancelled.",
  'history-open':
    'To enter the orders in the ERP, approve them on the page Brakes, and leave out those that the ERP has already. To enter none, drop them.',
  'relink-open': 'Compare the names on the page Brakes. Approve the right links, and leave out those that are wrong.',
  'several-match': DECIDE_DOUBT,
  'made-and-not-found': DECIDE_DOUBT,
  'look-alikes': DECIDE_DOUBT,
  'payments-unreadable': DECIDE_DOUBT,
  'verdict-unseen':
    'Check the order on the marketplace. Then send the approval again on the page Needs, or give it up.',
  'unseen-sale':
    'Wait for the order that explains them. If they were not sold, say on the page Needs that nothing was applied.',
  'command-undecided': `Ask the marketplace. ${DECIDE_DOUBT}`,
  'given-up': 'Nothing to do. To retry it, use the page Needs.',
  'program-error': 'This is a bug of Stockbridge or a fault of the machine: see the log. Then replay the job.',
  ...(Object.fromEntries(
    SIDES.flatMap((side) => Object.entries(FAILED).map(([kind, step]) => [`${side}-${kind}`, step])),
  ) as Steps),
};

/** Whether a person's link, or its end, is the next step for this code. */
export function isEndedByLink(code: string): boolean {
  return Object.hasOwn(LINK_STEPS, code);
}

export function stepOnScreen({
  code,
  params,
  next,
}: Pick<ShownCause, 'code' | 'next'> & { readonly params: unknown }): string {
  const step = Object.hasOwn(STEPS, code) ? STEPS[code as Code] : undefined;
  return typeof step === 'function' ? step(params as never) : (step ?? next);
}
