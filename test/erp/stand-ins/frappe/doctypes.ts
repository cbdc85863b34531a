/*
 * The fields of the doctypes, as far as a trade needs them. From the files of ERPNext: selling/doctype/sales_order,
 * sales_order_item and customer; stock/doctype/item, item_price, bin, warehouse, delivery_note and delivery_note_item;
 * accounts/doctype/sales_taxes_and_charges; setup/doctype/company.
 *
 * A field is written as its type, then "!" where it is mandatory (reqd), and "+" where it may change after the submission
 * (allow_on_submit). The target of a link or a table stands after a colon.
 */
export interface Field {
  readonly type: string;
  readonly options: string;
  readonly mandatory: boolean;
  readonly afterSubmit: boolean;
}

export interface DocType {
  readonly fields: Readonly<Record<string, Field>>;
  /** How a new document is named: by a field, by a series, or by a hash. */
  readonly named: { readonly field: string } | { readonly series: string } | 'hash';
  readonly submittable: boolean;
  /** Rows of this doctype stand inside documents of others. */
  readonly isTable: boolean;
}

const fieldOf = (written: string): Field => {
  const [, type = '', , options = '', marks = ''] = /^([A-Za-z ]+?)(:([A-Za-z ]+?))?([!+]*)$/.exec(written) ?? [];
  return { type, options, mandatory: marks.includes('!'), afterSubmit: marks.includes('+') };
};

function docType(named: DocType['named'], written: Record<string, string>, more: Partial<DocType> = {}): DocType {
  const fields = Object.fromEntries(Object.entries(written).map(([name, spec]) => [name, fieldOf(spec)]));
  return { fields, named, submittable: false, isTable: false, ...more };
}

/** frappe/model/__init__.py, default_fields, child_table_fields and optional_fields. */
export const STANDARD: Readonly<Record<string, Field>> = Object.fromEntries(
  Object.entries({
    name: 'Data',
    owner: 'Link:User',
    creation: 'Datetime',
    modified: 'Datetime',
    modified_by: 'Link:User',
    docstatus: 'Int',
    idx: 'Int',
    parent: 'Data',
    parentfield: 'Data',
    parenttype: 'Data',
  }).map(([name, spec]) => [name, fieldOf(spec)]),
);

const AMOUNTS = {
  total_qty: 'Float',
  total: 'Currency',
  net_total: 'Currency',
  total_taxes_and_charges: 'Currency',
  grand_total: 'Currency',
  rounded_total: 'Currency',
  rounding_adjustment: 'Currency',
  base_grand_total: 'Currency',
};

export const DOCTYPES: Readonly<Record<string, DocType>> = {
  Company: docType({ field: 'company_name' }, { company_name: 'Data!', default_currency: 'Link:Currency!' }),
  Currency: docType({ field: 'currency_name' }, { currency_name: 'Data!', enabled: 'Check' }),
  UOM: docType({ field: 'uom_name' }, { uom_name: 'Data!', must_be_whole_number: 'Check' }),
  Account: docType({ field: 'account_name' }, { account_name: 'Data!', company: 'Link:Company!' }),
  'Price List': docType(
    { field: 'price_list_name' },
    { price_list_name: 'Data!', currency: 'Link:Currency!', selling: 'Check', enabled: 'Check' },
  ),
  Warehouse: docType(
    { field: 'warehouse_name' },
    { warehouse_name: 'Data!', company: 'Link:Company!', is_group: 'Check', disabled: 'Check' },
  ),
  Customer: docType(
    { field: 'customer_name' },
    {
      customer_name: 'Data!',
      customer_type: 'Select!',
      customer_group: 'Link:Customer Group',
      territory: 'Link:Territory',
      tax_id: 'Data',
      disabled: 'Check',
    },
  ),
  Item: docType(
    { field: 'item_code' },
    {
      item_code: 'Data!',
      item_name: 'Data',
      item_group: 'Data!',
      description: 'Text Editor',
      stock_uom: 'Link:UOM!',
      disabled: 'Check',
      is_stock_item: 'Check',
      is_sales_item: 'Check',
      has_variants: 'Check',
      variant_of: 'Link:Item',
      end_of_life: 'Date',
      standard_rate: 'Currency',
      weight_per_unit: 'Float',
      brand: 'Data',
      image: 'Data',
    },
  ),
  'Item Price': docType('hash', {
    item_code: 'Link:Item!',
    item_name: 'Data',
    uom: 'Link:UOM',
    price_list: 'Link:Price List!',
    price_list_rate: 'Currency!',
    currency: 'Link:Currency',
    customer: 'Link:Customer',
    selling: 'Check',
    buying: 'Check',
    valid_from: 'Date',
    valid_upto: 'Date',
    batch_no: 'Data',
    packing_unit: 'Int',
  }),
  Bin: docType('hash', {
    item_code: 'Link:Item!',
    warehouse: 'Link:Warehouse!',
    actual_qty: 'Float',
    reserved_qty: 'Float',
    projected_qty: 'Float',
    ordered_qty: 'Float',
    indented_qty: 'Float',
    planned_qty: 'Float',
    reserved_qty_for_production: 'Float',
    reserved_qty_for_sub_contract: 'Float',
    reserved_stock: 'Float',
    stock_uom: 'Link:UOM',
    valuation_rate: 'Float',
    stock_value: 'Float',
  }),
  'Sales Order': docType(
    { series: 'SAL-ORD-.YYYY.-.#####' },
    {
      title: 'Data+',
      naming_series: 'Select!',
      customer: 'Link:Customer!',
      customer_name: 'Data',
      order_type: 'Select!',
      skip_delivery_note: 'Check',
      amended_from: 'Link:Sales Order',
      company: 'Link:Company!',
      transaction_date: 'Date!',
      delivery_date: 'Date+',
      po_no: 'Data+',
      po_date: 'Date+',
      currency: 'Link:Currency!',
      conversion_rate: 'Float!',
      selling_price_list: 'Link:Price List!',
      price_list_currency: 'Link:Currency!',
      plc_conversion_rate: 'Float!',
      ignore_pricing_rule: 'Check',
      set_warehouse: 'Link:Warehouse',
      items: 'Table:Sales Order Item!',
      taxes: 'Table:Sales Taxes and Charges',
      taxes_and_charges: 'Link:Sales Taxes and Charges Template',
      apply_discount_on: 'Select',
      additional_discount_percentage: 'Float',
      discount_amount: 'Currency',
      disable_rounded_total: 'Check',
      ...AMOUNTS,
      advance_paid: 'Currency',
      terms: 'Text Editor',
      status: 'Select!',
      delivery_status: 'Select',
      per_delivered: 'Percent',
      per_billed: 'Percent',
      per_picked: 'Percent',
      billing_status: 'Select',
    },
    { submittable: true },
  ),
  'Sales Order Item': docType(
    'hash',
    {
      item_code: 'Link:Item',
      item_name: 'Data!',
      description: 'Text Editor',
      delivery_date: 'Date+',
      qty: 'Float!',
      uom: 'Link:UOM!',
      stock_uom: 'Link:UOM',
      conversion_factor: 'Float!',
      stock_qty: 'Float',
      stock_uom_rate: 'Currency',
      price_list_rate: 'Currency',
      discount_percentage: 'Percent',
      discount_amount: 'Currency',
      rate: 'Currency',
      amount: 'Currency',
      net_rate: 'Currency',
      net_amount: 'Currency',
      warehouse: 'Link:Warehouse',
      delivered_by_supplier: 'Check',
      delivered_qty: 'Float',
      returned_qty: 'Float',
      picked_qty: 'Float',
      billed_amt: 'Currency',
    },
    { isTable: true },
  ),
  'Sales Taxes and Charges': docType(
    'hash',
    {
      charge_type: 'Select!',
      account_head: 'Link:Account!',
      description: 'Small Text!',
      rate: 'Float',
      tax_amount: 'Currency',
      total: 'Currency',
      tax_amount_after_discount_amount: 'Currency',
    },
    { isTable: true },
  ),
  'Delivery Note': docType(
    { series: 'MAT-DN-.YYYY.-.#####' },
    { customer: 'Link:Customer!', company: 'Link:Company!', items: 'Table:Delivery Note Item!', status: 'Select!' },
    { submittable: true },
  ),
  'Delivery Note Item': docType(
    'hash',
    {
      item_code: 'Link:Item!',
      qty: 'Float!',
      warehouse: 'Link:Warehouse',
      against_sales_order: 'Link:Sales Order',
      so_detail: 'Data',
    },
    { isTable: true },
  ),
};

/** The field of this name of a doctype, with the standard ones. */
export function fieldIn(doctype: string, name: string): Field | undefined {
  return DOCTYPES[doctype]?.fields[name] ?? STANDARD[name];
}
