import type { FailureKind, Side } from '../failure.ts';
import type { Code, ParamsOf, ShownCause } from './cause.ts';

/*
 * Next steps on the admin screen, for codes whose own next step names a CLI command. A code that is missing here uses
 * its own next step.
 */

type Steps = { readonly [Name in Code]?: string | ((params: ParamsOf<Name>) => string) };

const DECIDE = 'Look at the writes on the page Brakes, then approve or drop them.';
export const SAY_WHAT_BECAME = 'Say what became of it, on its own page or on the page Needs.';
const IN_DOUBT = 'Nothing to do, unless the page Needs has that one in doubt.';
const RESUME = 'To let it go on, end the pause on the overview.';
const SAME = 'If it is the same, link it on its page. Otherwise press there that it is not the same.';
const LINK_CUSTOMER = 'link the right customer on its page.';
const FAILED: Readonly<Partial<Record<FailureKind, string>>> = {
  unavailable:
    'Bring it back, or correct the address (or your own module) by which it is reached. Waiting work then goes on by itself; replay what has failed.',
  credentials:
    'Have a new key made there if the present one has ended, and put it where the configuration takes it from. Then press "Try both sides again" on the overview. A key that comes from the environment of the program is taken at its restart only.',
  forbidden: 'Give the key the permission, then replay it.',
  'not-found': 'Find out why it is gone there, then replay it.',
  'refused-for-now': 'Replay it when what the answer says has changed.',
  refused: 'Mend what the answer says, then replay it.',
  'invalid-answer': 'The answer is not of the documented shape: tell those who run that side, then replay it.',
  incomplete: 'Replay it when the side answers completely again.',
};
const SIDES = ['marketplace', 'erp', 'redis'] as const satisfies readonly Side[];

const STEPS: Steps = {
  'several-listings': 'Link the right one on its page, and archive the others on the marketplace.',
  'listing-of-another': 'If it belongs to this product, link it on its page. Otherwise correct the SKU of one of them.',
  'sku-still-listed':
    'Nothing to do if that listing gets its present SKU soon. Otherwise the page Needs shows why its product waits.',
  'archived-by-hand': 'Bring it back here, or leave it archived. If it is not sold any more, deactivate it in the ERP.',
  'listing-gone':
    'To have it listed again, unlink it on its page, and a new listing is created where products.create is on. If the product is not to be sold there any more, deactivate it in the ERP.',
  'sku-reused': ({ product, listing }) =>
    `If it is the same, open listing ${listing} and link it to ${product} there. Otherwise archive listing ${listing} on the marketplace, and the product is listed anew.`,
  'product-became-another': ({ product, listing, other }) =>
    `If it is the product of listing ${other}, open that listing and link it to ${product} there. If it is still the product of listing ${listing}, give that listing the new name on the marketplace.`,
  'ids-linked-otherwise': 'If that is wrong, link it to the right one on its page.',
  'batch-gone': 'Unlink it on its page, and another one is made for the lot.',
  'batch-several': 'Link one of them on the page of the lot.',
  'erp-order-gone': 'Restore it in the ERP, or unlink it on the page of the order.',
  'external-id-differs': 'Correct the external_id on the marketplace, or link the right order on its page.',
  'line-quantity-finer':
    'Change the quantity on the marketplace, or enter the order in the ERP by hand and link it on its page.',
  'order-customer-gone':
    'If another one has taken its place, link that on the page of the customer. If not, unlink the customer there.',
  'customer-unlinked': 'Link the customer on its page.',
  'erp-order-customer-unknown': 'Give the ERP customer a marketplace_id, or link the customer on its page.',
  'customer-gone':
    'If it was erased on purpose, erase it in the ERP too, or set it inactive there. To have another one created, unlink it on its page.',
  'erp-customer-gone':
    'If another one has taken its place, link that on the page of the customer. If not, unlink it there.',
  'customer-claims-another': `Correct the marketplace_id in the ERP, or ${LINK_CUSTOMER}`,
  'customer-inactive': 'Activate it in the ERP, or link another one on the page of the customer.',
  'customer-id-unknown': `Correct it, or ${LINK_CUSTOMER}`,
  'customers-alike': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-several': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-of-another': `Correct it, or ${LINK_CUSTOMER}`,
  'customer-claimed': `Correct it, or ${LINK_CUSTOMER}`,
  'assignment-customers': 'Correct the customer in the ERP, or link it on its page.',
  'payment-gone':
    'If the money was received, unlink it on its page, and it is recorded again where payments.to_marketplace is on. If it was not, void the payment in the ERP.',
  'erp-payment-gone':
    'If the money was received, unlink it on its page, and it is recorded again where payments.to_erp is on. If it was not, delete the payment on the marketplace.',
  'payment-several': 'Link one of them on its page.',
  'could-be-listed': SAME,
  'could-be-known': SAME,
  'erp-has-sku': 'Link it on its page. The page of the product says why it is not linked by itself.',
  'ordered-and-archived':
    'Make the product in the ERP by hand, and link it on the page of the listing. Or bring the listing back.',
  'listed-beside': ({ others: [first] }) =>
    `Archive listing ${first} on the marketplace, or link it on its page to the product that it is.`,
  'field-rewritten':
    'Nothing to do: it is not written again while both stay as they are. If the shown value is wrong, change it in the ERP to one that the marketplace keeps.',
  'product-paused': RESUME,
  paused: RESUME,
  'product-unlinked': ({ sku }) =>
    `Link it to the ERP's product on the page of the order. ${sku === null ? 'If it is gone from the marketplace, give the order a line with another listing there instead.' : `If the ERP does not have it yet, create it there with SKU ${sku}: it is linked by itself then.`}`,
  'product-made-first': 'Nothing to do, unless the page Needs shows the product itself as held.',
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
  'brake-refused': 'Nothing to do: it is held until another value is to be written.',
  'fall-refused':
    "Approve the write on the page Brakes after all, or correct the ERP's stock. Until then, orders of this SKU may have to be cancelled.",
  'history-open':
    'Approve the orders on the page Brakes to enter them in the ERP, except those that it has, or drop them to leave them all.',
  'relink-open':
    'Look at the names on the page Brakes, and approve the links that are to move, except those that are wrong.',
  'several-match': SAY_WHAT_BECAME,
  'made-and-not-found': SAY_WHAT_BECAME,
  'look-alikes': SAY_WHAT_BECAME,
  'payments-unreadable': SAY_WHAT_BECAME,
  'verdict-unseen': 'Look at the order there, then have it told again on the page Needs, or give it up.',
  'unseen-sale':
    'Wait for an order that shows them, or say on the page Needs that nothing was applied: they are not sold.',
  'command-undecided': `Ask the marketplace. ${SAY_WHAT_BECAME}`,
  'given-up': 'Nothing to do. It can still be tried again on the page Needs.',
  'program-error': 'This is a mistake of the program, or of the machine: the log tells more. Then replay it.',
  ...(Object.fromEntries(
    SIDES.flatMap((side) => Object.entries(FAILED).map(([kind, step]) => [`${side}-${kind}`, step])),
  ) as Steps),
};

export function stepOnScreen({
  code,
  params,
  next,
}: Pick<ShownCause, 'code' | 'next'> & { readonly params: unknown }): string {
  const step = Object.hasOwn(STEPS, code) ? STEPS[code as Code] : undefined;
  return typeof step === 'function' ? step(params as never) : (step ?? next);
}
