import { MADE } from './check.ts';
import { isDuplicate, isInvalidText, isPlain } from './failures.ts';
import { allFit, type Find, findIn, type List } from './lists.ts';
import { inSession, type Purpose, type Session, type Sessions } from './session.ts';
import type { Parameters } from './statement.ts';
import { type Body, runSteps, type Step } from './writes.ts';

/** The statements for one kind of record. `find` searches by the marketplace's key. */
export interface Records<T> {
  readonly list: List<T>;
  readonly find: Find;
  readonly create: readonly Step[];
}

export interface Wanted<T> {
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  readonly given: Parameters;
  /** Checks each row, since databases compare texts in their own way. */
  readonly fits: (row: T) => boolean;
}

/** More than one record is a mistake. */
export async function findRecords<T>(
  sessions: Sessions,
  { list, find }: Pick<Records<T>, 'list' | 'find'>,
  wanted: Wanted<T>,
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const work = (session: Session) => recordsIn(session, { list, find }, wanted);
  return (await found(sessions, reading(find, wanted.purpose), wanted.given, signal, work)) ?? [];
}

/** null: a value in `given` has a character that the database cannot hold. */
export async function found<T>(
  sessions: Sessions,
  what: Purpose,
  given: Parameters,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T | null> {
  const state: { thrown: unknown } = { thrown: null };
  const noting = async (session: Session) => {
    try {
      return await work(session);
    } catch (error) {
      state.thrown = session.thrown();
      throw error;
    }
  };
  try {
    return await inSession(sessions, what, noting, signal);
  } catch (error) {
    if (isInvalidText(state.thrown) && !Object.values(given).flat().every(isPlain)) return null;
    throw error;
  }
}

export function reading({ key }: Find, purpose: string): Purpose {
  return { operation: key.replace('finds.', 'find '), purpose, kind: 'read' };
}

export async function recordsIn<T>(
  session: Session,
  { list, find }: Pick<Records<T>, 'list' | 'find'>,
  { given, fits }: Pick<Wanted<T>, 'given' | 'fits'>,
): Promise<T[]> {
  return allFit(session, find, await findIn(session, list, find, given)).filter(fits);
}

/**
 * Creates a record and reads it back. If a unique index reports that it exists, the existing record is returned.
 * @param operation `order-create`
 */
export async function createRecord<T extends { readonly id: string }>(
  sessions: Sessions,
  records: Records<T>,
  body: Body,
  { purpose, operation, ...wanted }: Wanted<T> & { readonly operation: string },
  signal: AbortSignal | undefined,
): Promise<T> {
  const state = { isThere: false };
  const work = async (session: Session): Promise<T> => {
    try {
      const given = await runSteps(session, records.create, body);
      const id = given[`${MADE}.id`];
      return await readBackAndCommit(session, async () => {
        const there = await recordsIn(session, records, wanted);
        return there.find((record) => record.id === String(id)) ?? null;
      });
    } catch (error) {
      state.isThere = isDuplicate(session.thrown());
      throw error;
    }
  };
  try {
    return await inSession(sessions, { operation, purpose, kind: 'write' }, work, signal);
  } catch (error) {
    const [existing] = state.isThere ? await findRecords(sessions, records, { ...wanted, purpose }, signal) : [];
    if (existing === undefined) throw error;
    return existing;
  }
}

/** Commits only if the record can be read back. */
export async function readBackAndCommit<T>(session: Session, read: () => Promise<T | null>): Promise<T> {
  const record = await read();
  if (record === null) {
    const text =
      'The record that the write made is not found afterwards, so nothing was written. Let finds and writes agree.';
    throw session.refuse('refused', text);
  }
  await session.commit();
  return record;
}
