import { createHash } from 'node:crypto';
import type { AccountConfig } from '../config/resolve.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { RedisClient } from '../daemon/redis/connect.ts';
import type { RedisTarget } from '../daemon/redis/target.ts';
import type { ErpConnector } from '../erp/connector.ts';
import { kindOf } from '../erp/connectors.ts';
import type { ErpParts } from '../erp/kind.ts';
import type { Credential } from '../http/credential.ts';
import { type CallTrace, createMarketplaceClient, type MarketplaceClient } from '../marketplace/client.ts';
import { createGovernor, type QuotaGovernor, type QuotaLimits } from '../marketplace/governor.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import type { Governor } from '../marketplace/quota.ts';

/** The longest wait for the quota. After that, a job returns to the queue, and a command reports the failure. */
const MAX_QUOTA_WAIT_MS = 10_000;

/** `limits` null admits every call. */
export function openGovernor(
  config: AccountConfig,
  redis: RedisClient,
  { kind }: Pick<RedisTarget, 'kind'>,
  limits: QuotaLimits | null = config.marketplace.limits,
): QuotaGovernor {
  // The private Redis stores each call on disk before it answers, and has no replica.
  const mayForget = kind !== 'private';
  return createGovernor({ redis, owner: keyOwner(config), limits, mayForget, maxWaitMs: MAX_QUOTA_WAIT_MS });
}

/** The quota belongs to the company that owns the key (field notes), so its programs share it. */
function keyOwner({ marketplace }: AccountConfig): string {
  return createHash('sha256').update(`${marketplace.baseUrl} ${marketplace.sellerId}`).digest('hex').slice(0, 16);
}

/** @param credential of the account, or of one of its operations */
export function openMarketplace(
  { marketplace }: AccountConfig,
  governor: Governor,
  credential: (operation?: OperationId) => Credential,
  onCall?: (call: CallTrace) => void,
): MarketplaceClient {
  const authOf = ({ scheme }: { readonly scheme: string }, secret: Credential) =>
    scheme === 'app' ? ({ scheme: 'app', key: secret } as const) : ({ scheme: 'bearer', token: secret } as const);
  const own = Object.entries(marketplace.operations) as [OperationId, { auth?: { readonly scheme: string } }][];
  const auths = Object.fromEntries(
    own.flatMap(([id, { auth }]) => (auth === undefined ? [] : [[id, authOf(auth, credential(id))]])),
  );
  const auth = authOf(marketplace.auth, credential());
  return createMarketplaceClient({ ...marketplace, auth, auths, overrides: marketplace.operations, governor, onCall });
}

export function openErp(
  { name: account, erp: { section, dir, where } }: AccountConfig,
  credentials: Pick<Credentials, 'erp'>,
  observing: Pick<ErpParts, 'onCall' | 'onPace' | 'calls' | 'wire'> = {},
): Promise<ErpConnector> {
  const credential = (name: string): Credential => credentials.erp(account, name);
  return kindOf(section).open(section, { credential, ...observing, dir, where, now: Date.now });
}
