import { DOCTYPES, type DocType, type Field, STANDARD } from './doctypes.ts';
import { refuse, Undocumented } from './failures.ts';
import { type Doc, find, flt, load, newName, plain, put, remove, rows, type Site, stamp, text } from './site.ts';

/* Documents of Frappe: frappe/model/document.py and base_document.py. */

/** The deeds of a doctype's controller. */
export interface Controller {
  readonly validate?: (site: Site, doc: Doc, at: Date) => void;
  readonly onSubmit?: (site: Site, doc: Doc, at: Date) => void;
  readonly onCancel?: (site: Site, doc: Doc, at: Date) => void;
  readonly onUpdateAfterSubmit?: (site: Site, doc: Doc, at: Date) => void;
}

export type Controllers = Readonly<Record<string, Controller>>;

const NUMBERS = ['Float', 'Currency', 'Percent'];
/** frappe/database/mariadb/database.py, setup_type_map: these are varchar(140) where the field has no length of its own. */
const SHORT = ['Data', 'Link', 'Select'];
const SHORT_LENGTH = 140;
/** frappe/model/base_document.py: a client sends these, and they are taken from the database or set by Frappe. */
const SENT_TOO = new Set([
  'doctype',
  'name',
  'docstatus',
  'amended_from',
  'modified',
  'idx',
  'parent',
  'parenttype',
  'parentfield',
]);

function typeOf(doctype: string): DocType {
  return DOCTYPES[doctype] ?? refuse(`DocType ${doctype} not found`, 'DoesNotExistError');
}

/** base_document.py, get_valid_dict: numbers are read by flt and cint. */
function cast({ type }: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (NUMBERS.includes(type)) return flt(value).toNumber();
  if (type === 'Int') return flt(value).trunc().toNumber();
  if (type === 'Check') return flt(value).isZero() ? 0 : 1;
  return value;
}

/**
 * The fields of `data` that the doctype has. Frappe drops others without a word; here they are told, so that no test rests on a
 * field that does not exist.
 */
function taken(doctype: string, data: Doc): Doc {
  const { fields } = typeOf(doctype);
  const known: Doc = {};
  for (const [name, value] of Object.entries(data)) {
    const field = fields[name];
    if (field === undefined && !SENT_TOO.has(name)) throw new Undocumented(`${doctype} has no field ${name}`);
    if (field?.type === 'Table') known[name] = (value as Doc[]).map((row) => taken(field.options, row));
    else if (Array.isArray(value)) refuse(`Value for ${name} cannot be a list`);
    else known[name] = cast(field ?? (STANDARD[name] as Field), value);
  }
  return known;
}

/** A field that is still open is NULL, or 0 for a number. */
function complete(doctype: string, doc: Doc): void {
  for (const [name, { type, options }] of Object.entries(typeOf(doctype).fields)) {
    if (type === 'Table') for (const row of rows(doc, name)) complete(options, row);
    doc[name] ??= type === 'Table' ? [] : NUMBERS.includes(type) || type === 'Check' || type === 'Int' ? 0 : null;
  }
}

function inTables(doc: Doc): { readonly doctype: string; readonly field: string; readonly row: Doc }[] {
  return Object.entries(typeOf(text(doc, 'doctype')).fields).flatMap(([field, { type, options }]) =>
    type === 'Table' ? rows(doc, field).map((row) => ({ doctype: options, field, row })) : [],
  );
}

/** document.py, set_user_and_timestamp: the document and all its rows carry the time at which the saving began. */
function stampAll(doc: Doc, at: Date): void {
  const now = stamp(at);
  doc['modified'] = now;
  doc['creation'] ??= now;
  for (const [index, { doctype, field, row }] of inTables(doc).entries()) {
    row['doctype'] = doctype;
    row['name'] ??= `${text(doc, 'name').slice(-4)}${Math.random().toString(36).slice(2, 8)}${index}`;
    row['modified'] = now;
    row['creation'] ??= now;
    row['docstatus'] = doc['docstatus'];
    row['parent'] = doc['name'];
    row['parenttype'] = doc['doctype'];
    row['parentfield'] = field;
  }
  for (const [field, { type }] of Object.entries(typeOf(text(doc, 'doctype')).fields))
    if (type === 'Table') for (const [index, row] of rows(doc, field).entries()) row['idx'] = index + 1;
}

const label = (field: string): string => field.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());

/** document.py, _validate_links */
function checkLinks(site: Site, doc: Doc): void {
  const parts = [{ doctype: text(doc, 'doctype'), row: doc, where: '' }].concat(
    inTables(doc).map(({ doctype, row }) => ({ doctype, row, where: `Row #${text(row, 'idx')}: ` })),
  );
  const lost = parts.flatMap(({ doctype, row, where }) =>
    Object.entries(typeOf(doctype).fields).flatMap(([name, { type, options }]) => {
      const target = text(row, name);
      if (type !== 'Link' || target === '' || DOCTYPES[options] === undefined) return [];
      const found = find(site, options, target);
      // The link takes the name as it is written there.
      if (found !== undefined) row[name] = found['name'];
      return found === undefined ? [`${where}${label(name)}: ${target}`] : [];
    }),
  );
  if (lost.length > 0) refuse(`Could not find ${lost.join(', ')}`, 'LinkValidationError');
}

/** document.py, _validate_mandatory, and base_document.py, _validate_length */
function checkValues(doc: Doc): void {
  const parts = [{ doctype: text(doc, 'doctype'), row: doc }, ...inTables(doc)];
  const missing = parts.flatMap(({ doctype, row }) =>
    Object.entries(typeOf(doctype).fields).flatMap(([name, { type, mandatory }]) => {
      const value = row[name];
      const lacks = type === 'Table' ? rows(row, name).length === 0 : plain(value).trim() === '';
      return mandatory && lacks ? [name] : [];
    }),
  );
  if (missing.length > 0)
    refuse(`[${text(doc, 'doctype')}, ${text(doc, 'name')}]: ${missing.join(', ')}`, 'MandatoryError');
  for (const { doctype, row } of parts)
    for (const [name, { type }] of Object.entries(typeOf(doctype).fields)) {
      const value = text(row, name);
      if (!SHORT.includes(type) || Array.from(value).length <= SHORT_LENGTH) continue;
      const of = `${text(doc, 'doctype')} ${text(doc, 'name')}: '${label(name)}' (${value})`;
      refuse(`${of} will get truncated, as max characters allowed is ${SHORT_LENGTH}`, 'CharacterLengthExceededError');
    }
}

/** document.py, insert. A document may be submitted at once, by "docstatus": 1. */
export function insert(site: Site, controllers: Controllers, doctype: string, data: Doc, at: Date): Doc {
  const { submittable } = typeOf(doctype);
  const { name: _named, modified: _modified, ...sent } = taken(doctype, data);
  const doc: Doc = { ...sent, doctype, docstatus: flt(data['docstatus']).toNumber(), __islocal: 1, idx: 0 };
  if (doc['docstatus'] === 2)
    refuse('Cannot change docstatus from 0 (Draft) to 2 (Cancelled)', 'DocstatusTransitionError');
  if (doc['docstatus'] === 1 && !submittable) refuse(`${doctype} is not submittable`);
  const from = text(doc, 'amended_from');
  if (from !== '' && find(site, doctype, from)?.['docstatus'] !== 2)
    refuse(
      `${from} cannot be amended because it is not cancelled. Please cancel the document before creating an amendment.`,
    );
  for (const { row } of inTables(doc)) delete row['name'];
  doc['name'] = newName(site, doctype, doc, at);
  if (find(site, doctype, doc['name']) !== undefined)
    refuse(`${doctype} ${text(doc, 'name')} already exists`, 'DuplicateEntryError');
  stampAll(doc, at);
  checkLinks(site, doc);
  controllers[doctype]?.validate?.(site, doc, at);
  checkValues(doc);
  complete(doctype, doc);
  delete doc['__islocal'];
  put(site, doc);
  if (doc['docstatus'] === 1) controllers[doctype]?.onSubmit?.(site, doc, at);
  return doc;
}

/** document.py, check_docstatus_transition */
function transition(before: number, after: number): 'save' | 'submit' | 'cancel' | 'update_after_submit' {
  if (before === 2) refuse('Cannot edit cancelled document');
  if (before === 0 && after === 2)
    refuse('Cannot change docstatus from 0 (Draft) to 2 (Cancelled)', 'DocstatusTransitionError');
  if (before === 1 && after === 0)
    refuse('Cannot change docstatus from 1 (Submitted) to 0 (Draft)', 'DocstatusTransitionError');
  if (after === 2) return 'cancel';
  if (before === 0) return after === 1 ? 'submit' : 'save';
  return 'update_after_submit';
}

/** base_document.py, _validate_update_after_submit */
function checkUnchanged(before: Doc, after: Doc): void {
  const compare = (doctype: string, was: Doc | undefined, is: Doc): void => {
    for (const [name, { type, options, afterSubmit }] of Object.entries(typeOf(doctype).fields)) {
      if (type === 'Table') {
        const [old, now] = [was === undefined ? [] : rows(was, name), rows(is, name)];
        if (old.length !== now.length && !afterSubmit)
          refuse(`Not allowed to change ${label(name)} after submission`, 'UpdateAfterSubmitError');
        for (const row of now)
          compare(
            options,
            old.find((one) => one['name'] === row['name']),
            row,
          );
      } else if (!afterSubmit && plain(was?.[name]) !== plain(is[name]) && (was?.[name] || is[name])) {
        const words = `${label(name)} after submission from ${text(was ?? {}, name)} to ${text(is, name)}`;
        refuse(`Not allowed to change ${words}`, 'UpdateAfterSubmitError');
      }
    }
  };
  compare(text(before, 'doctype'), before, after);
}

/** frappe/api/v1.py, update_doc, with document.py, save. Rows of a table that are not sent are deleted. */
export function update(site: Site, controllers: Controllers, doctype: string, name: string, data: Doc, at: Date): Doc {
  const before = load(site, doctype, name);
  const { doctype: _doctype, name: _name, ...sent } = taken(doctype, data);
  if (sent['modified'] !== undefined && sent['modified'] !== before['modified'])
    refuse(
      `Error: Document has been modified after you have opened it (${text(before, 'modified')}, ${stamp(at)}). Please refresh to get the latest document.`,
      'TimestampMismatchError',
    );
  const doc: Doc = { ...structuredClone(before), ...sent, name: before['name'], doctype };
  const deed = transition(Number(before['docstatus']), Number(doc['docstatus']));
  return save(site, controllers, { before, doc, deed }, at);
}

interface Saving {
  readonly before: Doc;
  readonly doc: Doc;
  readonly deed: ReturnType<typeof transition>;
}

function save(site: Site, controllers: Controllers, { before, doc, deed }: Saving, at: Date): Doc {
  const controller = controllers[text(doc, 'doctype')];
  stampAll(doc, at);
  if (deed !== 'cancel') checkLinks(site, doc);
  if (deed === 'save' || deed === 'submit') controller?.validate?.(site, doc, at);
  if (deed !== 'cancel') checkValues(doc);
  complete(text(doc, 'doctype'), doc);
  if (deed === 'update_after_submit') checkUnchanged(before, doc);
  put(site, doc);
  if (deed === 'submit') controller?.onSubmit?.(site, doc, at);
  if (deed === 'cancel') controller?.onCancel?.(site, doc, at);
  if (deed === 'update_after_submit') controller?.onUpdateAfterSubmit?.(site, doc, at);
  return doc;
}

/** frappe/model/delete_doc.py: what is submitted has to be cancelled first. */
export function erase(site: Site, doctype: string, name: string): void {
  const doc = load(site, doctype, name);
  if (doc['docstatus'] === 1)
    refuse(`${doctype} ${text(doc, 'name')}: Submitted Record cannot be deleted. You must Cancel it first.`);
  remove(site, doc);
}

/** The document as an answer has it: without what is NULL (frappe/utils/response.py, json_handler: no_nulls). */
export function withoutNulls(doc: Doc): Doc {
  const kept = Object.entries(doc).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? value.map((row) => withoutNulls(row as Doc)) : value]),
  );
}
