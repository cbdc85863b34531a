import { z } from 'zod';
import { compileExpression, type Expression, expressionProblem } from '../expressions/expression.ts';
import { compileRule, ruleProblems } from '../expressions/rule.ts';
import { doc, duration, durationMs, flag, text } from '../settings/scalars.ts';
import { always, type Loose, section } from './contradictions.ts';
import { freeFields, isLeftOut, type NamedRule } from './fields.ts';

/** JSONata, checked as far as possible without a product. */
export const expression = () =>
  text(4_000).superRefine((written, context) => {
    const problem = expressionProblem(written);
    if (problem !== null) context.addIssue({ code: 'custom', message: `is no JSONata expression: ${problem}` });
  });

const host = () =>
  text(300).regex(
    /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
    'expected a host in small letters, such as img.example',
  );

const images = z.strictObject({
  from: doc(
    expression(),
    'JSONata over the ERP product that makes the addresses of its images, in the order they are shown, or {url, position}.',
  ),
  hosts: doc(
    z.array(host()).min(1).max(50),
    'The only hosts that images are fetched from, with the port where it is not the usual one.',
  ),
  remove: doc(flag().prefault(false), 'Delete images that Stockbridge uploaded and the ERP does not have any more.'),
  recheck: doc(duration('1s').prefault('1d'), 'How often each address is asked whether its image has changed.'),
});

export const products = z
  .strictObject({
    create: doc(flag().prefault(true), 'Create a listing for an ERP product that has none.'),
    archive: doc(
      flag().prefault(true),
      'Archive the listing of a product that the ERP deactivated, deleted or does not list any more.',
    ),
    archived_by_hand: doc(
      z.enum(['hold', 'restore']).prefault('hold'),
      'What becomes of a listing that somebody archives on the marketplace while the ERP sells its product: it is held until ' +
        'a person decides, or it is brought back once.',
    ),
    fields: doc(
      freeFields.prefault({}),
      'More fields of a listing: JSONata over the ERP product, or objects of such. Numbers and true are constants. ' +
        'false or null leaves out a field that would be sent otherwise.',
    ),
    create_only: doc(
      z.array(text(100)).max(200).prefault([]),
      'Names from fields, category, sub_category, brand and product_line: sent with a new listing and then left alone.',
    ),
    create_fields: doc(freeFields.prefault({}), 'Constants that are sent with every new listing.'),
    attributes: doc(z.array(text(100)).max(200).prefault([]), 'ERP attributes copied to the field of the same name.'),
    required: doc(
      z.array(text(100)).max(200).prefault([]),
      'Fields without which this deployment refuses a new listing: each has to be made by something here.',
    ),
    restore_fields: doc(
      freeFields.prefault({ listing_state: 'Available' }),
      'Fields sent to bring an archived listing back.',
    ),
    category: doc(expression(), 'JSONata that makes the name of the category.').optional(),
    sub_category: doc(expression(), 'JSONata that makes the name of the sub-category.').optional(),
    brand: doc(expression(), 'JSONata that makes the name of the brand.').optional(),
    product_line: doc(expression(), 'JSONata that makes the name of the product line.').optional(),
    create_product_lines: doc(
      flag().prefault(false),
      'Create product lines that are not there; needs product_line and brand.',
    ),
    references_as: doc(
      z.enum(['id', 'object']).prefault('id'),
      'How category, sub_category, brand and product_line are sent: 12 or {id: 12}.',
    ),
    names_every: doc(duration('1s').prefault('1h'), 'How often the lists of these names are read.'),
    images: doc(images, 'How images are kept in step. Without it, they are not looked at.').optional(),
  })
  .superRefine(contradictions, { when: always });
type ProductsFile = z.output<typeof products>;

/** Fields that Stockbridge itself decides. */
const OWN_FIELDS = ['id', 'sku', 'quantity', 'available_inventory', 'reserved_qty', 'external_ids', 'external_id'];
/** Comparisons and sums use prices and case sizes, so their values are always the ERP's own. */
const COUNTED_WITH = ['wholesale_price', 'unit_multiplier'];
/** Fields that are sent unless the configuration excludes them. */
const LEAVABLE = ['seller', 'name', 'description', 'external_ids', ...COUNTED_WITH];
const REFERENCES = ['category', 'sub_category', 'brand', 'product_line'] as const;

/** These checks run even if another key is invalid, so every value here may be missing or of another type. */
function contradictions(value: unknown, context: z.core.$RefinementCtx): void {
  const file = section(value);
  const report = (path: readonly (string | number)[], message: string): void => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  const own = (path: readonly (string | number)[], field: unknown): void => {
    const name = OWN_FIELDS.find((one) => one === field);
    if (name !== undefined) report(path, `${name} is set by Stockbridge itself`);
  };
  for (const key of ['create_fields', 'restore_fields'])
    for (const field of Object.keys(section(file[key]))) own([key, field], field);
  for (const [index, field] of listed(file['attributes']).entries()) own(['attributes', index], field);

  const fields = section(file['fields']);
  for (const [field, rule] of Object.entries(fields)) {
    const path = ['fields', field];
    if (isLeftOut(rule)) {
      if (!LEAVABLE.includes(field)) report(path, `only ${LEAVABLE.join(', ')} can be left out: take ${field} away`);
      continue;
    }
    own(path, field);
    if (COUNTED_WITH.includes(field)) report(path, `${field} is the ERP's own: it can only be left out, with false`);
    if (REFERENCES.some((name) => name === field && file[name] !== undefined)) {
      report(path, `products.${field} makes this field already`);
    }
    for (const problem of ruleProblems(rule, path)) report(problem.path, problem.message);
  }
  for (const [index, field] of listed(file['create_only']).entries()) {
    const isMade = Object.hasOwn(fields, String(field)) && !isLeftOut(fields[String(field)]);
    const isReference = REFERENCES.some((name) => name === field && file[name] !== undefined);
    if (!isMade && !isReference) report(['create_only', index], `${String(field)} is not made by products.fields`);
  }
  if ((file['create_product_lines'] === true || file['create_product_lines'] === 'true') && !hasLines(file)) {
    report(['create_product_lines'], 'needs products.product_line and products.brand: a line belongs to a brand');
  }
}

/**
 * Required fields that no new listing would have, each with its index in the list.
 * @param usual the usual names of fields that the deployment has elsewhere
 */
export function unmade(file: Loose, usual: ReadonlyMap<string, string>): { index: number; field: string }[] {
  if (file['create'] === false || file['create'] === 'false') return [];
  const fields = section(file['fields']);
  const made = Object.keys(fields).filter((name) => !isLeftOut(fields[name]));
  const leftOut = Object.keys(fields).filter((name) => isLeftOut(fields[name]));
  const own = ['sku', 'quantity', 'available_inventory', ...LEAVABLE.filter((name) => !leftOut.includes(name))];
  const names = REFERENCES.filter((name) => file[name] !== undefined);
  const there = new Set([
    ...own,
    ...made,
    ...names,
    ...Object.keys(section(file['create_fields'])),
    ...listed(file['attributes']),
  ]);
  return listed(file['required']).flatMap((field, index) =>
    typeof field !== 'string' || there.has(usual.get(field) ?? field) ? [] : [{ index, field }],
  );
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const hasLines = (file: Loose): boolean => file['product_line'] !== undefined && file['brand'] !== undefined;

type ReferenceField = (typeof REFERENCES)[number];

export function resolveProducts(file: ProductsFile) {
  const entries = Object.entries(file.fields);
  const made = entries.filter(([, rule]) => !isLeftOut(rule));
  return {
    create: file.create,
    archive: file.archive,
    createFields: file.create_fields,
    attributes: file.attributes,
    archivedByHand: file.archived_by_hand,
    restoreFields: file.restore_fields,
    fields: made.map(([name, rule]): NamedRule => ({ name, rule: compileRule(rule) })),
    leftOut: entries.filter(([, rule]) => isLeftOut(rule)).map(([name]) => name),
    createOnly: file.create_only,
    /** In the order of the look-ups: a sub-category within its category, a line within its brand. */
    references: REFERENCES.flatMap((field): NamedReference[] => {
      const written = file[field];
      return written === undefined ? [] : [{ field, name: compileExpression(written) }];
    }),
    referencesAs: file.references_as,
    createProductLines: file.create_product_lines,
    namesEveryMs: durationMs(file.names_every),
    images:
      file.images === undefined
        ? null
        : {
            from: compileExpression(file.images.from),
            hosts: file.images.hosts,
            remove: file.images.remove,
            recheckMs: durationMs(file.images.recheck),
          },
  };
}

/** Synchronised fields other than the ERP's own columns. */
export function mappedNames({
  attributes,
  fields,
  references,
  createOnly,
}: ReturnType<typeof resolveProducts>): string[] {
  const names = [...attributes, ...fields.map(({ name }) => name), ...references.map(({ field }) => field)];
  return names.filter((name) => !createOnly.includes(name));
}

interface NamedReference {
  readonly field: ReferenceField;
  readonly name: Expression;
}
