import { isDeepStrictEqual } from 'node:util';
import type { LoadedConfig } from '../config/load.ts';
import type { AccountConfig, Config } from '../config/resolve.ts';
import { takenOver } from '../config/taken.ts';
import type { CredentialSource } from '../erp/kind.ts';
import type { Credential } from '../http/credential.ts';
import type { Log } from '../logging/logging.ts';
import type { OAuth } from '../settings/auth.ts';
import type { TokenStore } from '../store/tokens.ts';
import { createOAuth } from './oauth.ts';

type Read = Pick<LoadedConfig, 'config' | 'masked'>;

export interface Reread extends Read {
  readonly newSecrets: readonly string[];
}

export interface Renewal {
  /** Reads the configuration and all its files again. Unusable parts are in `config.unusable`. */
  readonly reread: () => Read;
  readonly masked: unknown;
  /** Called with every obtained secret before its first use. */
  readonly hide: (secret: string) => void;
  /** Hides every secret known so far, and everything that looks like one. */
  readonly redact: (text: string) => string;
}

export interface Credentials {
  /** @param operation one with its own credentials; default: those of the account */
  marketplace(account: string, operation?: string): Credential;
  /** @param name as in the connector's settings */
  erp(account: string, name: string): Credential;
  webhooks(account: string): readonly string[];
  admin(): {
    readonly operator: string | null;
    readonly viewer: string | null;
    readonly users: Config['admin']['users'];
  };
  configured(account: string): AccountConfig['secrets'];
  reread(): Reread | null;
}

export interface CredentialParts {
  readonly config: Config;
  /** null: no account uses a token server. */
  readonly tokens: TokenStore | null;
  /** null: the secrets of `config` stay in force. */
  readonly renewal: Renewal | null;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly now: () => number;
}

export function openCredentials({ config, tokens, renewal, log, now }: CredentialParts): Credentials {
  let current = config;
  let others = renewal === null ? null : withoutAccounts(renewal.masked);
  const accountNow = (name: string): AccountConfig => {
    const found = accountIn(current, name) ?? accountIn(config, name);
    if (found === undefined) throw new Error(`there is no account ${name}`);
    return found;
  };

  function reread(): Reread | null {
    if (renewal === null) return null;
    const next = renewal.reread();
    for (const unusable of next.config.unusable)
      log.warn(unusable, 'this part of the configuration cannot be used: the one in force stays');
    const { accounts } = takenOver(current.accounts, next.config);
    const changed = changedBetween(current, { ...next.config, accounts });
    current = { ...next.config, accounts };
    if (changed.length > 0) log.info({ changed }, 'secrets were read again: the new ones are in force');
    const rest = withoutAccounts(next.masked);
    if (!isDeepStrictEqual(others, rest)) {
      others = rest;
      log.warn('settings beside the accounts have changed: they take effect at the next start');
    }
    return { ...next, newSecrets: changed };
  }

  function credential(account: string, side: 'marketplace' | 'erp', find: Find): Credential {
    const first = sourceIn(find, accountNow(account));
    const source = (): CredentialSource => {
      const read = find(accountNow(account));
      // A scheme is not a secret. A changed one takes effect at the next start.
      return read?.scheme === first.scheme ? read : first;
    };
    const { timeoutMs } = accountNow(account)[side];
    const hide = renewal?.hide ?? (() => {});
    const settings = () => oauthOf(source());
    const asked =
      first.scheme === 'oauth2' && tokens !== null
        ? createOAuth({ account, side, settings, tokens, hide, timeoutMs, now })
        : null;
    return {
      secret: async () => (asked === null ? secretOf(source()) : asked.secret()),
      refused(secret) {
        asked?.refused(secret);
        // A secret file may have been replaced by the next secret.
        reread();
      },
    };
  }

  return {
    marketplace: (account, operation) =>
      credential(account, 'marketplace', ({ marketplace: { auth, operations } }) =>
        operation === undefined ? sourceOf(auth) : ownSource(new Map(Object.entries(operations)).get(operation)),
      ),
    erp: (account, name) => credential(account, 'erp', ({ erp }) => erp.credentials[name] ?? null),
    webhooks: (account) => accountNow(account).marketplace.webhooks?.secrets ?? [],
    configured: (account) => accountNow(account).secrets,
    admin: () => ({
      operator: current.admin.operatorToken,
      viewer: current.admin.viewerToken,
      users: current.admin.users,
    }),
    reread,
  };
}

function withoutAccounts(masked: unknown): object {
  return { ...(masked as object), accounts: null };
}

/** null: the connector has no such setting. */
type Find = (config: AccountConfig) => CredentialSource | null;

function sourceIn(find: Find, config: AccountConfig): CredentialSource {
  const source = find(config);
  if (source === null) throw new Error(`account ${config.name} has no such credential`);
  return source;
}

type Auth = AccountConfig['marketplace']['auth'];

function sourceOf(auth: Auth): CredentialSource {
  if (auth.scheme === 'oauth2') return auth;
  return { scheme: 'fixed', secret: auth.scheme === 'app' ? auth.key : auth.token };
}

function ownSource(operation: { readonly auth?: Auth } | undefined): CredentialSource | null {
  return operation?.auth === undefined ? null : sourceOf(operation.auth);
}

function secretOf(source: CredentialSource): string {
  if (source.scheme === 'oauth2') throw new Error('its token comes from a token server');
  return source.secret;
}

function oauthOf(source: CredentialSource): OAuth {
  if (source.scheme !== 'oauth2') throw new Error('its token is configured');
  return source;
}

function accountIn({ accounts }: Config, name: string): AccountConfig | undefined {
  return accounts.find((account) => account.name === name);
}

function adminTokens({ admin }: Config): string[] {
  const tokens = [admin.operatorToken, admin.viewerToken].filter((token) => token !== null);
  return [...tokens, ...admin.users.map(({ name, role, password }) => `${name} ${role} ${password ?? ''}`)];
}

/** The paths of the settings whose secrets differ, without those of new accounts. */
function changedBetween(before: Config, after: Config): string[] {
  const old = secretsIn(before);
  return [...secretsIn(after)].flatMap(([place, secrets]) =>
    !old.has(place) || isDeepStrictEqual(secrets, old.get(place)) ? [] : [place],
  );
}

function secretsIn(config: Config): Map<string, unknown> {
  const found = config.accounts.flatMap(({ name, marketplace, erp }): [string, unknown][] => [
    [`accounts.${name}.marketplace.auth`, marketplace.auth],
    [
      `accounts.${name}.marketplace.operations`,
      Object.entries(marketplace.operations).map(([id, { auth }]) => [id, auth]),
    ],
    [`accounts.${name}.marketplace.webhooks.secret`, marketplace.webhooks?.secrets],
    [`accounts.${name}.erp`, erp.credentials],
  ]);
  return new Map([...found, ['admin', adminTokens(config)]]);
}

export function needsTokens({ accounts }: Config): boolean {
  return accounts.some(({ marketplace, erp }) =>
    [
      marketplace.auth,
      ...Object.values(marketplace.operations).flatMap(({ auth }) => auth ?? []),
      ...Object.values(erp.credentials),
    ].some(({ scheme }) => scheme === 'oauth2'),
  );
}
