/** Spec 1, Limits, Pagination. */
export const PAGES = { page: 'integer 1..', page_size: 'integer 1..500', ordering: 'ordering' } as const;
/** "ordering, page, page_size, search" of spec 2. */
export const SEARCHED = { ...PAGES, search: 'text 1..' } as const;
export const BY_ID = { 'id!': 'integer' } as const;

/** Spec 1, Authentication, Permissions. */
export const ORDERS = { read: 'Orders: Read', write: 'Orders: Read & Write' } as const;
export const PRODUCTS = { read: 'Products: Read', write: 'Products: Read & Write' } as const;
export const CUSTOMERS = { read: 'Customers: Read', write: 'Customers: Read & Write' } as const;

/** An identifier in a path, where the documents only say that it is a string. */
export const IDENTIFIER = String.raw`text /^[A-Za-z0-9][\w.-]{0,199}$/`;

/** The documents' decimal strings, such as `^-?\d{0,8}(?:\.\d{0,2})?$`. The table demands at least one digit. */
export const decimalText = (whole: number, places: number) =>
  String.raw`text /^-?\d{0,${whole}}(?:\.\d{0,${places}})?$/ /\d/`;

/** Several of these words in a query: in a text with commas, or as an array. */
export function words(choices: string): string {
  const one = `(?:${choices.split(' | ').join('|')})`;
  return `text /^${one}(?:,${one})*$/ or [${choices}] 1..`;
}

/** A family of the permission table. No document shows a field of its records. */
export const RECORD = { '...': 'more' } as const;
