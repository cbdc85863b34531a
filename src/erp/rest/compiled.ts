import type { z } from 'zod';
import type { CallFailure } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import { compileExpression } from '../../expressions/expression.ts';
import type { ErpListName } from '../connector.ts';
import { notSent } from '../failure.ts';
import { FINDS, type RecordKind, searchFor } from '../rows/kinds.ts';
import type { Shape } from '../rows/page.ts';
import type { Caller } from './caller.ts';
import { absentFailure } from './failures.ts';
import { type Found, findRows, firstFound, recordIn } from './find.ts';
import { type Clock, compileList, compileMapper, type ReadList } from './list.ts';
import { pathOf } from './reader.ts';
import { compileRequest } from './request.ts';
import type { Description, FindName, WriteName } from './schema.ts';
import { sectionOf } from './sections.ts';
import { ALWAYS } from './texts.ts';
import { compileWrite, withUnknownOutcome } from './write.ts';

export interface Compiled {
  readonly caller: Caller;
  readonly description: Description;
  readonly clock: Clock | null;
}

export function compiled(description: Description, caller: Caller): Compiled {
  const { clock } = description;
  if (clock === undefined) return { caller, description, clock: null };
  const time = compileExpression(clock.time, [...ALWAYS, 'headers']);
  return {
    caller,
    description,
    clock: { request: compileRequest(clock.request, [], caller.place('clock.request')), time },
  };
}

/** undefined: not described. */
export function listOf<T>(of: Compiled, name: ErpListName, shape: Shape<T>): ReadList<T> | undefined {
  const section = of.description.lists?.[name];
  return section && compileList(section, shape, { ...of, at: `lists.${name}` });
}

/** undefined: not described. */
export function listing<T>(of: Compiled, name: ErpListName, shape: Shape<T>) {
  const list = listOf(of, name, shape);
  if (list === undefined) return undefined;
  return (changedSince: string | null, signal?: AbortSignal) =>
    list({ changedSince, given: {}, purpose: `list the ${name}` }, signal);
}

/** The rows of a find; the whole list where the find is not described. */
export function findOf<T>(of: Compiled, name: FindName, shape: Shape<T>): ReadList<T> {
  const section = sectionOf(of.description, name);
  if (section === null) return listOf(of, FINDS[name].list, shape) ?? missing(`finds.${name}`);
  return compileList(section, shape, { ...of, at: `finds.${name}` });
}

/** Reads one record by id. May return a record with another id if no request shows the wanted one. */
export type ReadRecord<T> = (id: string, purpose: string, signal: AbortSignal | undefined) => Promise<Found<T> | null>;

export function recordOf<T>(of: Compiled, name: FindName, shape: z.ZodType<T>): ReadRecord<T> {
  const section = sectionOf(of.description, name);
  if (section === null) {
    return async () => {
      throw noSuch(`finds.${name}`);
    };
  }
  const { caller } = of;
  const looks = [section, ...(section.also ?? [])].map((part, index) => {
    const at = index === 0 ? `finds.${name}` : `finds.${name}.also.${index - 1}`;
    return {
      request: compileRequest(part.request, ['id'], caller.place(`${at}.request`)),
      items: part.items === undefined ? undefined : pathOf(part.items),
      mapper: compileMapper(part, at, caller.place),
    };
  });
  return async (id, purpose, signal) => {
    const call = caller.reading(purpose, signal);
    let other: Found<T> | null = null;
    for (const { request, items, mapper } of looks) {
      const answer = await call.find({ request, given: { id }, items });
      const found = answer === null ? null : await recordIn(call, { mapper, shape }, answer, { id });
      if (found !== null && (found.row as { readonly id?: string }).id === id) return found;
      // A later request may show the record, since two places may use the same number.
      other ??= found;
    }
    return other;
  };
}

export interface Writing<T> {
  readonly given: Given;
  readonly purpose: string;
  /** Reads the written record, by the id that a step kept. */
  readonly read: (id: unknown) => Promise<Found<T> | null>;
  /** The result if the record is not found after the write. */
  readonly gone?: Found<T> | null;
}

export type WriteRecord<T> = (writing: Writing<T>, signal: AbortSignal | undefined) => Promise<Found<T>>;

/** Writes a record. Returns it as read afterwards or from the last answer. */
export function writeOf<T>(of: Compiled, name: WriteName, list: ErpListName, shape: z.ZodType<T>): WriteRecord<T> {
  const { caller, description } = of;
  const section = description.writes?.[name];
  if (section === undefined) {
    return async () => {
      throw noSuch(`writes.${name}`);
    };
  }
  const write = compileWrite(section, `writes.${name}`, caller);
  const mapper = compileMapper(description.lists?.[list] ?? {}, `lists.${list}`, caller.place);
  return async ({ given, purpose, read, gone = null }, signal) => {
    const call = caller.writing(purpose, signal);
    const { kept, answer } = await write.run({ given, purpose, read }, signal);
    const fail = (message: string) => call.invalidAnswer(section.items ?? '', message);
    if (section.result === 'answer' && answer !== null) {
      const found = await recordIn(call, { mapper, shape }, answer, given);
      if (found !== null) return found;
      throw fail('the answer holds no record');
    }
    try {
      const found = await read(kept['id'] ?? given['id']);
      const left = found ?? (answer === null ? null : gone);
      if (left !== null) return left;
      // A record that does not exist needed no step, so nothing was written.
      if (answer === null) throw absentFailure(call.called);
      throw fail('the written record is not found afterwards');
    } catch (error) {
      throw answer === null ? error : withUnknownOutcome(error, 'all');
    }
  };
}

/** A list that is not described: reading it fails. */
export function missing(at: string): () => AsyncGenerator<never> {
  // oxlint-disable-next-line require-yield
  return async function* none() {
    throw noSuch(at);
  };
}

export function noSuch(at: string): CallFailure {
  const text = `The ERP was not asked: its description has no ${at}. Describe it below erp, or switch off what needs it.`;
  return notSent(text);
}

const GIVEN = { sku: 'sku', reference: 'reference', marketplaceId: 'id' } as const;

export function finderOf<T, Draft, Key extends keyof typeof GIVEN & keyof T & keyof Draft>(
  of: Compiled,
  kind: RecordKind<T, Draft, Key>,
) {
  const byKey = findOf(of, kind.find, { row: kind.row });
  return (key: Draft[Key], signal?: AbortSignal, purpose = searchFor(kind, key).purpose): Promise<T[]> => {
    const given = { [GIVEN[kind.key]]: key };
    return findRows(of.caller, byKey, { ...searchFor(kind, key), given, purpose }, signal);
  };
}

/**
 * Finds and creates records. A new record is found again by its key.
 * @param creating the purpose of a create, if not the usual one
 */
export function recordsOf<T, Draft, Key extends keyof typeof GIVEN & keyof T & keyof Draft>(
  of: Compiled,
  kind: RecordKind<T, Draft, Key>,
  creating = (draft: Draft): string => searchFor(kind, draft[kind.key], kind.creating).purpose,
) {
  const find = finderOf(of, kind);
  const write = writeOf(of, kind.create, kind.list, kind.row);
  return {
    find: (key: Draft[Key], signal?: AbortSignal) => find(key, signal),
    async create(draft: Draft, signal?: AbortSignal): Promise<T> {
      const purpose = creating(draft);
      const read = async () => firstFound(await find(draft[kind.key], signal, purpose));
      return (await write({ given: { draft: plain(kind.body(draft)) }, purpose, read }, signal)).row;
    },
  };
}

export function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}
