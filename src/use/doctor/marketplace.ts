import type { AccountConfig } from '../../config/resolve.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { CallTrace, MarketplaceClient } from '../../marketplace/client.ts';
import { type Page, untyped } from '../api/call.ts';
import { type Finding, fail, failed, judgeClock, ok, warn } from './finding.ts';
import { type PermissionNeed, permissionNeeds, readProbe, writeProbe } from './permissions.ts';

export interface MarketplaceParts {
  readonly config: AccountConfig;
  readonly client: MarketplaceClient;
  readonly lastCall: () => CallTrace | null;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Two calls for each needed resource, none with an effect. */
export async function* checkMarketplace(parts: MarketplaceParts): AsyncGenerator<Finding> {
  const { config, lastCall } = parts;
  const notFound: { need: PermissionNeed; error: CallFailure }[] = [];
  let answered = false;
  for (const need of permissionNeeds(config)) {
    const fromMs = parts.now();
    const found = need.access === 'read' ? await checkRead(parts, need) : await checkWrite(parts, need);
    const call = lastCall();
    if (!answered && call !== null && call.status !== null && call.status < 300) {
      answered = true;
      yield ok('marketplace', `${config.marketplace.baseUrl} answers, and takes the credentials`);
      yield judgeClock('marketplace', call.headers?.date, fromMs, parts.now());
      yield versionFinding(config, call);
    }
    if (found instanceof CallFailure) {
      notFound.push({ need, error: found });
      continue;
    }
    yield found;
    // Every other call would fail likewise.
    if (found.fault === 'unavailable' || (call?.failure === 'credentials' && found.level === 'fail')) return;
  }
  for (const { need, error } of notFound) yield answered ? missing(need, error, true) : failed(need.name, error);
}

/** The API version from the answer; an unknown one is refused. */
function versionFinding({ marketplace }: AccountConfig, call: CallTrace): Finding {
  const { version, versionHeader } = marketplace;
  const used = call.headers?.[versionHeader.toLowerCase()];
  const sent = `${versionHeader}: ${version}`;
  if (used === undefined || used === version) return ok('version', `${sent} is accepted`);
  const mend = 'set marketplace.version to it once you know that nothing else has changed';
  return warn('version', `${sent} was requested, but version ${String(used)} was used`, mend);
}

/** Returns a 404's failure itself: only the other answers tell a missing permission from a wrong base_url. */
async function checkRead(parts: MarketplaceParts, need: PermissionNeed): Promise<Finding | CallFailure> {
  const { config, client, signal } = parts;
  const { name, flows } = need;
  const probe = readProbe(need, config.facilities?.companyId ?? config.marketplace.sellerId);
  if (probe === null) return ok(name, `not asked for: ${flows.join(', ')} read single entries only`);
  const { operation, request } = probe;
  const options = { lane: 'operator', signal } as const;
  try {
    if (operation.paging === null) {
      await untyped(client).call(operation.id, request, options);
      return ok(name, `${operation.id} answers`);
    }
    return readFinding(parts, name, operation.id, await untyped(client).list(operation.id, request, options));
  } catch (error) {
    if (!(error instanceof CallFailure)) return failed(name, error);
    if (error.kind === 'not-found') return error;
    if (error.kind === 'forbidden') return missing(need, error, false);
    // A list of one row can only fail because of what every call sends.
    const mend = 'check marketplace.version and marketplace.version_header';
    return error.status === 400 ? fail(name, error.message, mend, 'configuration') : failed(name, error);
  }
}

function missing({ name, flows }: PermissionNeed, { message }: CallFailure, guessed: boolean): Finding {
  const how = guessed ? 'probably missing, because other calls are answered' : 'missing';
  return fail(name, `${how}; needed by ${flows.join(', ')}. ${message}`, grant(name), 'credentials');
}

const grant = (name: string) => `let the marketplace grant "${name}" to this key`;

function readFinding(parts: MarketplaceParts, name: string, id: string, page: Page): Finding {
  const { sellerId } = parts.config.marketplace;
  const [invalidRow] = page.invalidRows;
  if (parts.lastCall()?.status === 404) {
    const text = `${id} was answered with 404: either there is nothing, or the permission is missing`;
    return warn(name, text, `if there should be something, ${grant(name)}`);
  }
  if (invalidRow !== undefined) {
    const text = `${id} answers, and its first row does not fit: ${invalidRow.path}: ${invalidRow.message}`;
    return warn(name, text, `see it with "stockbridge api ${id}": such rows are not processed`);
  }
  const [row] = page.rows;
  const seller = typeof row === 'object' && row !== null && 'seller' in row ? row.seller : undefined;
  if (typeof seller === 'number' && seller !== sellerId) {
    const text = `${id} returns data of seller ${seller}, but marketplace.seller_id is ${sellerId}`;
    return fail(name, text, 'correct marketplace.seller_id, or use the key of that seller', 'configuration');
  }
  return ok(name, `${id} answers, ${page.count} in all`);
}

/** Only a write proves a write permission, but a refusal disproves it. */
async function checkWrite(parts: MarketplaceParts, need: PermissionNeed): Promise<Finding> {
  const { config, client, signal } = parts;
  const { name, permission, flows } = need;
  const probe = writeProbe(need, config);
  if (probe === null) {
    const unnamed = permission === null ? 'the documents name no permission for it; ' : '';
    return warn(name, `not provable without a write: ${unnamed}needed by ${flows.join(', ')}`, null);
  }
  const { operation, request } = probe;
  try {
    await untyped(client).call(operation.id, request, { lane: 'operator', signal });
    return ok(name, `an empty ${operation.id} is accepted`);
  } catch (error) {
    if (!(error instanceof CallFailure)) return failed(name, error);
    const { kind, status } = error;
    if (kind === 'forbidden') return missing(need, error, false);
    if (kind !== 'not-found' && kind !== 'refused') return failed(name, error);
    return ok(name, `not refused (${status}); only a write would prove it`);
  }
}
