/**
 * Fields whose names differ between deployments: setting below `marketplace.fields` -> our name and the table's. The
 * specs show the name only in another record, or deployments are reported to have another. All other names are fixed.
 */
export const RECORD_FIELDS = {
  order: {
    discount: 'discount_amount',
    discount_type: 'discount_type',
    shipping: 'shipping_charge',
    tax: 'tax_amount',
    total: 'total',
    delivery_address: 'delivery_address',
    corporate_address: 'corporate_address',
    requested_date: 'requested_date',
    customer_name: 'customer_name',
  },
  // Spec 2 shows these names for the list of products with assignments, but not for the product list or a create.
  product: {
    price: 'wholesale_price',
    unit_multiplier: 'unit_multiplier',
    category: 'category',
    sub_category: 'sub_category',
    brand: 'brand',
    product_line: 'product_line',
    external_ids: 'external_ids',
    archived: 'archived',
  },
  // Spec 2 shows these names for the list of customers. Of an order's customer it shows only the id.
  customer: { corporate_address: 'corporate_address', delivery_address: 'delivery_address' },
} as const;

export type RecordKind = keyof typeof RECORD_FIELDS;
export const RECORD_KINDS = Object.keys(RECORD_FIELDS) as readonly RecordKind[];

/** The listing states of which deployments are reported. The specs show the field without values. */
export const LISTING_STATES = ['Available', 'Archived', 'Sample', 'Backorder', 'Internal', 'Unavailable'] as const;

/** The specs' names for the fields of each record (spec 1 and 2, Resources and their fields). */
export const DOCUMENTED: Readonly<Record<RecordKind, readonly string[]>> = {
  order: words('number seller customer status line_items discount_amount external_id modified frozen_data'),
  product: words(`id name display_name sku description quantity reserved_qty available_inventory created_on last_edit
    listing_state display_listing_state wholesale_price retail_price sale_price price_schedule_price
    sale_price_schedule_price unit_multiplier unit_of_measure unit_denomination category sub_category brand product_line
    license parent seller inventory_management images children_count image_count inv_count is_ancillary
    has_deals_eligible_children strain_classification_display discount_percent assignments`),
  customer:
    words(`id created_date modified_date name nickname dba ein owner_id managers phone phone_extension website email
    delivery_preferences business_license_name description next_contact_date tier license_number old_license_number
    is_license_inactive business_identifier directions shipping_charge brand notes is_archived is_delinquent
    discount_percent external_ids partner_id price_schedule_id service_zone_id status_id service_zone status license_type
    currency corporate_address delivery_address available_payment_options service_last_viewed service_source`),
};

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const FAMILIES: Readonly<Record<string, RecordKind>> = { orders: 'order', products: 'product', customers: 'customer' };
const VERBS = ['list', 'get', 'create', 'replace', 'patch', 'transition', 'archive'];

export function recordKindOf(operationId: string): RecordKind | null {
  const [family = '', verb = ''] = operationId.split('.');
  return VERBS.includes(verb) ? (FAMILIES[family] ?? null) : null;
}
