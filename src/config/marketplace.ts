import { z } from 'zod';
import { PATH } from '../marketplace/operations/moved.ts';
import { ORDER_STATUSES } from '../marketplace/operations/orders.ts';
import { LISTING_STATES, RECORD_FIELDS } from '../marketplace/operations/record-names.ts';
import { OPERATIONS, type OperationId } from '../marketplace/operations/table.ts';
import { cron, doc, duration, headerName, httpUrl, secret, text, wholeNumber } from '../settings/scalars.ts';
import { marketplaceAuth } from './auth.ts';
import * as check from './contradictions.ts';

const limits = z.strictObject({
  per_second: doc(wholeNumber(1, 100_000).prefault(8), 'Most calls in any second, over all processes together.'),
  per_minute: doc(wholeNumber(1, 1_000_000).prefault(300), 'Most calls in any minute, over all processes together.'),
});

const poll = z.strictObject({
  orders: doc(duration('100ms').prefault('15s'), 'How often changed orders are read.'),
  products: doc(duration('100ms').prefault('5m'), 'How often changed listings are read.'),
  overlap: doc(
    duration('0s').prefault('15m'),
    'How far each read goes back before the cursor, for rows that become visible late.',
  ),
  full: doc(cron().prefault('15 3 * * *'), 'When everything is read from the start: five cron fields, in UTC.'),
});

export const webhookCheck = z.strictObject({
  secret: doc(
    z.union([secret(), z.array(secret()).min(1).max(2)], 'expected one secret, or a list of two during rotation'),
    'The secret that signs webhooks; a list of two while it is being changed.',
  ),
  header: doc(headerName().prefault('Service-Signature'), 'The header that carries the signature.'),
  algorithm: doc(
    z.enum(['hmac-sha1', 'hmac-sha256', 'hmac-sha512']).prefault('hmac-sha256'),
    'How the raw body is signed.',
  ),
  encoding: doc(z.enum(['base64', 'hex']).prefault('base64'), 'How the signature is written in the header.'),
  prefix: doc(
    z
      .string()
      .max(40)
      .regex(/^[!-~]*$/, 'expected a text without spaces, such as sha256=')
      .prefault(''),
    'The text before the signature in the header, such as "sha256=".',
  ),
});

const actionName = (description: string) =>
  doc(text(40).regex(/^[a-z][a-z_-]*$/, 'expected an action name: small letters, "_" and "-"'), description);

const transitions = z.strictObject({
  accept: actionName(
    'The action that moves an order to Accepted: an order that the ERP shipped, or an order made in the ERP that is reserved there.',
  ).optional(),
  fulfill: actionName('The action that moves an order from Accepted to Fulfilled, once the ERP shipped it.').prefault(
    'fulfill',
  ),
  ship: actionName('The action that moves an order from Fulfilled to Shipped, once the ERP shipped it.').optional(),
  reject: actionName('The action that moves an order to Rejected, once the ERP cancelled it.').optional(),
});

const operationPlace = z.strictObject({
  method: doc(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 'The HTTP method of this deployment.').optional(),
  path: doc(
    text().regex(PATH, 'expected a path below /api/v2 that starts with "/", such as /vehicles/{id}/'),
    'The path below /api/v2, with its {parameters}. A parameter of an assumed path that is left out here is sent in the query. A parameter of the query may stand in the path.',
  ).optional(),
  paging: doc(
    z.enum(['page', 'offset']),
    'How a list is asked for: by page and page_size, or by limit and offset.',
  ).optional(),
  arrays: doc(
    z.enum(['repeated', 'commas']),
    'How several values of one parameter of the query are sent: the parameter repeated, or the values with commas between. Repeated unless set.',
  ).optional(),
});
const operationOverride = operationPlace.extend({
  auth: doc(marketplaceAuth, 'The credentials of this operation, where it needs others than the account.').optional(),
});
const operationIds = Object.keys(OPERATIONS) as [OperationId, ...OperationId[]];

const fieldPlace = () =>
  text(100).regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, 'expected the name of a field, such as freight or totals.freight');
const place = (usual: string, meaning: string) => doc(fieldPlace().prefault(usual), meaning);

const { order, product, customer } = RECORD_FIELDS;

/** Fields that the specs do not show, or that deployments are reported to rename. */
const fields = z.strictObject({
  order: doc(
    z
      .strictObject({
        discount: place(order.discount, 'The amount of the discount. The documents show this name.'),
        discount_type: doc(
          fieldPlace(),
          'Says whether the discount is an amount or a percentage of the lines, and is written with each discount. Without it, the discount is an amount.',
        ).optional(),
        shipping: place(order.shipping, 'The amount for shipping.'),
        tax: place(order.tax, 'The amount of the tax.'),
        total: place(order.total, 'The amount that the buyer pays.'),
        delivery_address: place(
          order.delivery_address,
          'The address of delivery. Its state decides about the excise tax, and the goods go there.',
        ),
        corporate_address: place(
          order.corporate_address,
          'The address of the buyer. Its state decides about the excise tax where no address of delivery is shown.',
        ),
        requested_date: doc(
          fieldPlace(),
          'The day for which the buyer asks. Without it, the day is that of the transport orders.',
        ).optional(),
        customer_name: doc(
          fieldPlace(),
          'The name of the buyer, such as customer.title. Without it, the name, display_name or dba of customer.',
        ).optional(),
      })
      .prefault({}),
    'The names of fields of an order. A name with dots leads into an object: totals.freight. Open orders that are known already are read by a new name with the daily pass, or with the next sync.',
  ),
  product: doc(
    z
      .strictObject({
        price: place(product.price, 'The price of the sold-in unit: an amount with its currency.'),
        unit_multiplier: place(product.unit_multiplier, 'The units of a sold-in unit.'),
        category: place(product.category, 'The category that products.category makes.'),
        sub_category: place(product.sub_category, 'The sub-category that products.sub_category makes.'),
        brand: place(product.brand, 'The brand that products.brand makes.'),
        product_line: place(product.product_line, 'The product line that products.product_line makes.'),
        external_ids: place(product.external_ids, 'The ids of other systems, by the names of their keys.'),
        archived: place(product.archived, 'Whether the listing is archived. A listing_state of Archived says so, too.'),
      })
      .prefault({}),
    'The names of fields of a listing, as they are read and written. The settings of products have the usual names for these fields.',
  ),
  customer: doc(
    z
      .strictObject({
        corporate_address: place(customer.corporate_address, "The address of the customer's company."),
        delivery_address: place(customer.delivery_address, 'The address that goods for the customer go to.'),
      })
      .prefault({}),
    'The names of fields of a customer, as the list of customers and orders show it.',
  ),
});

const operationsWith = <Override extends z.ZodType>(override: Override) =>
  z.partialRecord(z.enum(operationIds), override).superRefine(check.operations, { when: check.always }).prefault({});

/** How the operations of a kind of deployment differ. Allowed in a preset, because it has no secret. */
export const operationPlaces = operationsWith(operationPlace);

export const marketplace = z.strictObject({
  extends: doc(
    text(300),
    'A preset for the settings that the documents leave open: the name of a shipped one, or a YAML file of yours. Settings here win.',
  ).optional(),
  base_url: doc(
    httpUrl().refine((url) => !/\/api\/v2\/*$/.test(url), 'leave /api/v2 off: it is added'),
    'The address of the marketplace. Its API is at {base_url}/api/v2.',
  ),
  version: doc(
    text(40)
      .regex(/^\d{4}-\d\d-\d\d$/, 'expected a date, such as 2022-10-31')
      .prefault('2022-10-31'),
    'The API version, sent with every call.',
  ),
  version_header: doc(headerName().prefault('Service-Version'), 'The header that carries the version.'),
  auth: doc(marketplaceAuth, 'How calls are authenticated.'),
  seller_id: doc(wholeNumber(1, Number.MAX_SAFE_INTEGER), "The brand's company id on the marketplace."),
  external_id_key: doc(text(36).prefault('stockbridge'), 'The key under which ERP ids are kept on listings.'),
  limits: doc(limits.prefault({}), 'The quota of the owner of this key.'),
  poll: doc(poll.prefault({}), 'How often the marketplace is read.'),
  webhooks: doc(webhookCheck, 'How webhooks are verified. Without it, they are accepted as hints only.').optional(),
  transitions: doc(
    transitions.prefault({}),
    'Action names of order transitions. Only fulfill is documented; the others are used once they are named here.',
  ),
  statuses: doc(
    z.record(text(40), z.enum(ORDER_STATUSES)).prefault({}),
    "Order statuses that this deployment spells differently: the documents' status for each. The first of several spellings of one status is written.",
  ),
  discount_types: doc(
    z.record(text(40), z.enum(['amount', 'percent'])).prefault({}),
    'The words of this deployment in the field that fields.order.discount_type names. Words such as % and flat are understood without it, and amount is written. The first of several words for amount is written.',
  ),
  listing_states: doc(
    z.record(text(40), z.enum(LISTING_STATES)).prefault({}),
    'States of listings that this deployment spells differently, such as { Retired: Archived }. The first of several spellings of one state is written, also that of products.restore_fields.',
  ),
  fields: doc(fields.prefault({}), 'The names of fields that the documents do not show.'),
  operations: doc(
    operationsWith(operationOverride),
    'Method, path, paging, arrays and credentials of operations, where this deployment differs.',
  ),
  reference_prefix: doc(
    text()
      .regex(/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/, 'expected a path such as /api/v2, without a slash at its end')
      .prefault('/api/v2'),
    'The path below base_url of the operations that only the API reference names: customers, payments, inventory, transport and others.',
  ),
  price_per: doc(
    z.enum(['case', 'unit']).prefault('case'),
    'A price is that of the sold-in unit, a case of unit_multiplier units, as the documents say; or that of one unit.',
  ),
  timeout: doc(duration('100ms').prefault('30s'), 'How long a call may take.'),
});
