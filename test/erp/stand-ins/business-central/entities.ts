import { refuse } from './failures.ts';

/*
 * The entities of API v2.0: dev-itpro/api-reference/v2.0/resources/dynamics_company.md, dynamics_item.md, dynamics_customer.md,
 * dynamics_salesorder.md, dynamics_salesorderline.md, dynamics_account.md, dynamics_salesinvoice.md, dynamics_salesinvoiceline.md. The lengths are those of the tables behind them (Customer, Item,
 * Sales Header, Sales Line). A property is written as its type, with its length, and "#" where it cannot be written: the resource
 * pages say "Non-editable" and "Read-Only", and page 30028 of ALAppExtensions "Editable = false".
 */
export interface Property {
  readonly type: string;
  readonly length: number;
  readonly readOnly: boolean;
}

const propertyOf = (written: string): Property => {
  const [, type = '', length = '0', mark = ''] = /^(\w+?)(\d*)(#?)$/.exec(written) ?? [];
  return { type, length: Number(length), readOnly: mark === '#' };
};
const entity = (written: Record<string, string>): Readonly<Record<string, Property>> =>
  Object.fromEntries(Object.entries(written).map(([name, spec]) => [name, propertyOf(spec)]));

const address = (of: string, mark = '') => ({
  [`${of}AddressLine1`]: `text100${mark}`,
  [`${of}AddressLine2`]: `text50${mark}`,
  [`${of}City`]: `text30${mark}`,
  [`${of}Country`]: `code10${mark}`,
  [`${of}State`]: `text30${mark}`,
  [`${of}PostCode`]: `code20${mark}`,
});

/** The lines of orders and of invoices have these in common. */
const line = {
  id: 'guid#',
  documentId: 'guid',
  sequence: 'int',
  itemId: 'guid',
  accountId: 'guid',
  lineType: 'option',
  lineObjectNumber: 'code20',
  description: 'text100',
  unitOfMeasureCode: 'code10',
  quantity: 'decimal',
  unitPrice: 'decimal',
  discountAmount: 'decimal',
  discountPercent: 'decimal',
  amountExcludingTax: 'decimal#',
  taxCode: 'code20',
  taxPercent: 'decimal#',
  totalTaxAmount: 'decimal#',
  amountIncludingTax: 'decimal#',
  invoiceDiscountAllocation: 'decimal#',
  netAmount: 'decimal#',
  netTaxAmount: 'decimal#',
  netAmountIncludingTax: 'decimal#',
  shipmentDate: 'date',
};

export const ENTITIES: Readonly<Record<string, Readonly<Record<string, Property>>>> = {
  companies: entity({
    id: 'guid#',
    systemVersion: 'text50#',
    timestamp: 'long#',
    name: 'text30#',
    displayName: 'text250#',
    businessProfileId: 'text250#',
    systemCreatedAt: 'datetime#',
    systemModifiedAt: 'datetime#',
  }),
  customers: entity({
    id: 'guid#',
    number: 'code20',
    displayName: 'text100',
    email: 'text80',
    phoneNumber: 'text30',
    blocked: 'option',
    lastModifiedDateTime: 'datetime#',
  }),
  accounts: entity({ id: 'guid#', number: 'code20', displayName: 'text100', lastModifiedDateTime: 'datetime#' }),
  items: entity({
    id: 'guid#',
    number: 'code20',
    displayName: 'text100',
    displayName2: 'text50',
    type: 'option',
    itemCategoryCode: 'code20',
    blocked: 'bool',
    gtin: 'code14',
    inventory: 'decimal#',
    unitPrice: 'decimal',
    priceIncludesTax: 'bool',
    unitCost: 'decimal',
    baseUnitOfMeasureCode: 'code10',
    lastModifiedDateTime: 'datetime#',
  }),
  salesOrders: entity({
    id: 'guid#',
    number: 'code20#',
    externalDocumentNumber: 'code35',
    orderDate: 'date',
    postingDate: 'date',
    customerId: 'guid',
    customerNumber: 'code20',
    customerName: 'text100#',
    billToName: 'text100#',
    billToCustomerId: 'guid',
    billToCustomerNumber: 'code20',
    shipToName: 'text100',
    shipToContact: 'text100',
    ...address('sellTo'),
    ...address('billTo', '#'),
    ...address('shipTo'),
    currencyId: 'guid',
    currencyCode: 'code10',
    pricesIncludeTax: 'bool',
    salesperson: 'code20',
    partialShipping: 'bool',
    requestedDeliveryDate: 'date',
    discountAmount: 'decimal',
    discountAppliedBeforeTax: 'bool#',
    totalAmountExcludingTax: 'decimal#',
    totalTaxAmount: 'decimal#',
    totalAmountIncludingTax: 'decimal#',
    fullyShipped: 'bool',
    status: 'option#',
    lastModifiedDateTime: 'datetime#',
    phoneNumber: 'text30',
    email: 'text80',
  }),
  salesOrderLines: entity({
    ...line,
    description2: 'text50',
    shippedQuantity: 'decimal#',
    invoicedQuantity: 'decimal#',
    invoiceQuantity: 'decimal',
    shipQuantity: 'decimal',
    locationId: 'guid',
  }),
  salesInvoices: entity({
    id: 'guid#',
    number: 'code20',
    externalDocumentNumber: 'code35',
    invoiceDate: 'date',
    postingDate: 'date',
    dueDate: 'date',
    customerId: 'guid',
    customerNumber: 'code20',
    customerName: 'text100#',
    currencyCode: 'code10',
    orderId: 'guid#',
    orderNumber: 'code20#',
    discountAmount: 'decimal',
    totalAmountExcludingTax: 'decimal#',
    totalTaxAmount: 'decimal#',
    totalAmountIncludingTax: 'decimal#',
    status: 'option#',
    lastModifiedDateTime: 'datetime#',
  }),
  salesInvoiceLines: entity(line),
};

const typeName = (set: string): string => `Microsoft.NAV.${set.replace(/ies$/, 'y').replace(/s$/, '')}`;

export function propertyIn(set: string, name: string): Property {
  return (
    ENTITIES[set]?.[name] ??
    refuse('BadRequest', `Could not find a property named '${name}' on type '${typeName(set)}'.`)
  );
}

/**
 * A value as the field keeps it. Code has no small letters and no blanks around it (methods-auto/code/code-data-type.md); what is
 * too long is refused, with the code Application_StringExceededLength.
 */
export function kept(set: string, name: string, value: unknown): unknown {
  const { type, length, readOnly } = propertyIn(set, name);
  if (readOnly) refuse('BadRequest_InvalidOperation', `Control '${name}' is read-only.`);
  if (type === 'decimal' && typeof value !== 'number')
    refuse('BadRequest', `Cannot convert the value '${String(value)}' to the expected type 'Edm.Decimal'.`);
  if (type !== 'code' && type !== 'text') return value;
  if (typeof value !== 'string') refuse('BadRequest', `Cannot read the value of '${name}' as a quoted JSON string.`);
  const written = type === 'code' ? value.trim().toUpperCase() : value;
  if (written.length > length)
    refuse(
      'Application_StringExceededLength',
      `The length of the string is ${written.length}, but it must be less than or equal to ${length} characters. Value: ${written}`,
    );
  return written;
}
