import { type Overridden, overriddenIn } from '../../config/overridden.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { untyped } from '../api/call.ts';
import { type Finding, fail, failed, ok, warn } from './finding.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { NONEXISTENT_IDS, type Probe, readProbe } from './permissions.ts';

/** Calls each overridden operation that has no effect. */
export async function* checkOverrides(parts: MarketplaceParts): AsyncGenerator<Finding> {
  for (const overridden of overriddenIn(parts.config)) yield await checkOverride(parts, overridden);
}

async function checkOverride(parts: MarketplaceParts, { id, now }: Overridden): Promise<Finding> {
  const { client, config, signal } = parts;
  const operation: Operation = OPERATIONS[id];
  const name = `operation ${id}`;
  const prove = `"stockbridge api ${id}" with a known id proves it`;
  if (operation.effect !== 'none') return warn(name, `${now}: not provable without a write`, null);
  const companyId = config.facilities?.companyId ?? config.marketplace.sellerId;
  const listed = readProbe({ operations: [operation] }, companyId);
  const request = listed?.request ?? requestOfNobody(operation, companyId);
  if (request === null) return warn(name, `${now}: not tried, for want of its parameters`, prove);
  try {
    await untyped(client)[operation.paging === null ? 'call' : 'list'](id, request, { lane: 'operator', signal });
    if (parts.lastCall()?.status === 404)
      return warn(name, `${now} answers 404: the list is empty, or the path is wrong`, prove);
    return ok(name, `${now} answers`);
  } catch (error) {
    if (!(error instanceof CallFailure)) return failed(name, error);
    const { kind, message } = error;
    if (kind === 'not-found' && listed === null)
      return warn(name, `${now} answers 404 for an id that does not exist, so the path may also be wrong`, prove);
    if (kind === 'not-found' || kind === 'refused') {
      return fail(name, message, `correct marketplace.operations.${id}`, 'configuration');
    }
    return failed(name, error);
  }
}

/** Asks for a nonexistent entity; null: more than an id is needed. */
function requestOfNobody({ pathParams, query }: Operation, companyId: number): Probe['request'] | null {
  const own = query.shape['company_id'] === undefined ? {} : { company_id: companyId };
  if (!query.safeParse(own).success) return null;
  for (const id of NONEXISTENT_IDS) {
    const path = Object.fromEntries(Object.keys(pathParams.shape).map((name) => [name, id]));
    if (pathParams.safeParse(path).success) return { path, query: own };
  }
  return null;
}
