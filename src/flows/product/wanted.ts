import type { AccountConfig } from '../../config/resolve.ts';
import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { Price } from '../../domain/units.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { evaluateNamed, evaluateRule, inOrder } from '../../expressions/rule.ts';
import { writeDecimal, writeMoney } from '../../marketplace/entities/amounts.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { attributesOf, erpInput } from '../../shadow/erp-input.ts';
import { areNamesKnown, NAMES } from '../../shadow/read-names.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { NameKind } from '../../store/marketplace.ts';
import type { WireFields } from '../engine/fields.ts';
import { pickNamed, unknownName } from './names.ts';
import type { MissingLine } from './snapshot.ts';

export interface Wanted {
  /** Fields kept in step. */
  readonly fields: WireFields;
  /** Fields sent only with a create. */
  readonly createOnly: WireFields;
  readonly problem: Cause | null;
  readonly missingLine: MissingLine | null;
}

/**
 * @param price the listing's target price
 * @param sold expressions are evaluated only for products on sale
 */
export async function wantedOf(
  context: AccountRecords,
  erp: StoredErpProduct,
  price: Price<'marketplace price'>,
  sold: boolean,
): Promise<Wanted> {
  const base = ownFields(context.config, erp, price);
  const none = { createOnly: {}, problem: null, missingLine: null };
  if (!sold) return { fields: base, ...none };
  try {
    const input = erpInput(erp);
    const made = await madeFields(context, input);
    const named = await references(context, input);
    if (named === null) return { fields: base, ...none, problem: cause('names-unread') };
    const { found, missingLine } = named;
    const isCreateOnly = (name: string) => context.config.products.createOnly.includes(name);
    const mapped = Object.entries({ ...made, ...found });
    return {
      fields: { ...base, ...Object.fromEntries(mapped.filter(([name]) => !isCreateOnly(name))) },
      createOnly: Object.fromEntries(mapped.filter(([name]) => isCreateOnly(name))),
      problem: null,
      missingLine,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { fields: base, ...none, problem: cause('field-problem', { sku: erp.sku, problem: error.message }) };
  }
}

/** Fields sent for every product, without those that the configuration leaves out. */
function ownFields(config: AccountConfig, erp: StoredErpProduct, price: Price<'marketplace price'>): WireFields {
  const attributes = attributesOf(erp);
  const copied = config.products.attributes.filter((name) => Object.hasOwn(attributes, name));
  const fields = {
    ...Object.fromEntries(copied.map((name) => [name, attributes[name]])),
    sku: erp.sku,
    name: erp.name,
    description: erp.description,
    wholesale_price: writeMoney(price),
    unit_multiplier: writeDecimal(erp.unitMultiplier),
    external_ids: { [config.marketplace.externalIdKey]: erp.id },
  };
  return withoutLeftOut(config, fields);
}

export function withoutLeftOut(config: AccountConfig, fields: WireFields): WireFields {
  const { leftOut } = config.products;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !leftOut.includes(name)));
}

export function sendsExternalIds({ products }: AccountConfig): boolean {
  return !products.leftOut.includes('external_ids');
}

async function madeFields({ config }: AccountRecords, input: unknown): Promise<WireFields> {
  const { fields } = config.products;
  const values = await inOrder(fields.map(({ name, rule }) => evaluateRule(rule, input, `products.fields.${name}`)));
  const made = fields.map(({ name }, index) => [name, values[index]] as const);
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}

/** null: the marketplace's names are not read yet. */
async function references(context: AccountRecords, input: unknown) {
  const { config, store, account } = context;
  const ids: Partial<Record<NameKind, number>> = {};
  let missingLine: MissingLine | null = null;
  const wanted = config.products.references.map(({ field, name }) => ({
    field,
    place: `products.${field}`,
    value: evaluateNamed(name, input, `products.${field}`),
  }));
  await Promise.allSettled(wanted.map(({ value }) => value));
  for (const { field, place, value } of wanted) {
    const name = nameIn(await value, place);
    if (name === null) continue;
    if (!(await areNamesKnown(context, field))) return null;
    const parentId = parentOf(field, ids);
    const match = pickNamed(await store.names.find(account, field, name), parentId, NAMES[field].one);
    if (match?.problem != null) throw new ExpressionError(`${place}: ${match.problem}`);
    if (match !== null) ids[field] = match.id;
    else if (field === 'product_line' && config.products.createProductLines && parentId !== null) {
      missingLine = { name: lineName(name, place), brandId: parentId };
    } else {
      const all = await store.names.list(account, field, MAX_COMPARED);
      throw new ExpressionError(`${place}: ${unknownName(NAMES[field].one, name, all)}`);
    }
  }
  const asSent = (id: number) => (config.products.referencesAs === 'id' ? id : { id });
  return {
    found: Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, asSent(id)])),
    missingLine,
  };
}

const MAX_COMPARED = 5_000;

function parentOf(field: NameKind, ids: Partial<Record<NameKind, number>>): number | null {
  if (field === 'sub_category') return ids.category ?? null;
  return field === 'product_line' ? (ids.brand ?? null) : null;
}

/** null: the product has no such name. */
function nameIn(value: unknown, place: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') {
    throw new ExpressionError(`${place}: expected a name and got ${JSON.stringify(value).slice(0, 100)}`);
  }
  return value.trim() === '' ? null : value;
}

/** Spec 2, Catalog records: 1 to 100 characters. */
function lineName(name: string, place: string): string {
  const tidy = name.trim().replace(/\s+/g, ' ');
  if (tidy.length > 100) throw new ExpressionError(`${place}: "${tidy}" has more than 100 characters`);
  return tidy;
}
