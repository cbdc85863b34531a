import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { camelled, onlyKnown } from './names.ts';
import { doc, duration, durationMs, headerSecret, httpUrl, secret, text } from './scalars.ts';

export const bearerSection = z.strictObject({
  scheme: doc(z.literal('bearer'), 'Bearer token: sent as "Authorization: Bearer TOKEN".'),
  token: doc(headerSecret(), 'The token, for the scheme bearer.'),
});

/** The key type of each signing algorithm (RFC 7518), as node:crypto names it. */
const ALGORITHMS = { RS256: 'rsa', PS256: 'rsa', ES256: 'ec' } as const;
type AssertionAlgorithm = keyof typeof ALGORITHMS;

const assertion = z
  .strictObject({
    key: doc(secret(), 'The private key, in PEM: ${file:/run/secrets/key.pem}.'),
    algorithm: doc(z.enum(['RS256', 'PS256', 'ES256']).prefault('RS256'), 'The algorithm of the signature.'),
    key_id: doc(text(300), 'The id of the key or of its certificate there: kid of the header.').optional(),
    thumbprint: doc(
      text(100),
      'The SHA-256 thumbprint of the certificate, in base64url: x5t#S256 of the header.',
    ).optional(),
    issuer: doc(text(300), 'The issuer, iss. client_id when left out.').optional(),
    subject: doc(text(300), 'The subject, sub. client_id when left out.').optional(),
    audience: doc(text(500), 'The audience, aud. token_url when left out.').optional(),
    lifetime: doc(duration('10s').prefault('5m'), 'How long the assertion is valid.'),
    claims: doc(z.record(text(100), z.json()), 'Further claims, such as scope.').optional(),
  })
  // This check runs even if another key is invalid, so that all errors are reported at once.
  .superRefine(fittingKey, { when: () => true });

function fittingKey(value: unknown, context: z.core.$RefinementCtx): void {
  const { key, algorithm = 'RS256' } = (value ?? {}) as { readonly key?: unknown; readonly algorithm?: string };
  if (typeof key !== 'string' || !isAlgorithm(algorithm)) return;
  const message = keyProblem(key, ALGORITHMS[algorithm]);
  if (message !== null) context.addIssue({ code: 'custom', path: ['key'], message });
}

function isAlgorithm(name: string): name is AssertionAlgorithm {
  return Object.hasOwn(ALGORITHMS, name);
}

function keyProblem(pem: string, wanted: 'rsa' | 'ec'): string | null {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    if (asymmetricKeyType !== wanted) return `is a key of type ${asymmetricKeyType}, and the algorithm needs ${wanted}`;
    const curve = asymmetricKeyDetails?.namedCurve;
    return curve === undefined || curve === 'prime256v1' ? null : `is a key on ${curve}, and ES256 needs P-256`;
  } catch {
    return 'is no private key in PEM without a passphrase';
  }
}

const oauthKeys = {
  token_url: doc(httpUrl(), 'The address of the token server.'),
  client_id: doc(text(200), 'The id of this client there.'),
  client_secret: doc(secret(), 'The secret of this client there, for basic and body.').optional(),
  client_auth: doc(
    z.enum(['basic', 'body', 'assertion', 'none']).prefault('basic'),
    'How the client proves who it is: id and secret in the header "Authorization: Basic" or in the body, a signed assertion, or its id alone.',
  ),
  grant: doc(
    z.enum(['client_credentials', 'jwt-bearer']).prefault('client_credentials'),
    'The grant of a token, where there is no refresh_token: the credentials of the client, or a signed assertion.',
  ),
  scope: doc(text(500), 'The scope that is asked for, where one is needed.').optional(),
  refresh_token: doc(secret(), 'The first refresh token. Later ones are kept in the database.').optional(),
  assertion: doc(assertion, 'The signed assertion (a JWT, RFC 7523) of client_auth or of grant.').optional(),
} as const;

/** This check runs even if another key is invalid. */
function fittingClient(value: unknown, context: z.core.$RefinementCtx): void {
  const file = (value ?? {}) as Partial<Record<keyof typeof oauthKeys, unknown>>;
  const { client_auth = 'basic', client_secret, grant, assertion: signed } = file;
  const report = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
  const asksSecret = client_auth === 'basic' || client_auth === 'body';
  if (asksSecret && client_secret === undefined) report('client_secret', `is missing: client_auth is ${client_auth}`);
  if (!asksSecret && client_secret !== undefined)
    report('client_secret', `is never sent: client_auth is ${String(client_auth)}`);
  const asksSigned = client_auth === 'assertion' || grant === 'jwt-bearer';
  if (asksSigned && signed === undefined) report('assertion', 'is missing: client_auth or grant needs it');
  if (!asksSigned && signed !== undefined) report('assertion', 'is never sent: neither client_auth nor grant needs it');
}

const always = { when: () => true } as const;

/** OAuth 2 for a side without other schemes. */
export const oauthSection = z.strictObject(oauthKeys).superRefine(fittingClient, always);

/** OAuth 2 as one of several schemes. */
export const oauth2Section = z
  .strictObject({
    scheme: doc(z.literal('oauth2'), 'OAuth 2: tokens are asked for, and sent as "Authorization: Bearer TOKEN".'),
    ...oauthKeys,
  })
  .superRefine(fittingClient, always);

type OAuthFile = z.output<typeof oauthSection>;

/**
 * Tokens from a token server. With a first refresh token, each token is requested with the latest refresh token. null:
 * not configured.
 */
export type OAuth = ReturnType<typeof resolveOAuth>;

export function resolveOAuth(file: OAuthFile) {
  const { client_secret, scope, refresh_token, assertion: signed, ...same } = file;
  return {
    ...camelled(same),
    scheme: 'oauth2' as const,
    clientSecret: client_secret ?? null,
    scope: scope ?? null,
    refreshToken: refresh_token ?? null,
    assertion: signed === undefined ? null : assertionOf(file, signed),
  };
}

/** A JWT signed for each token request (RFC 7523). */
export type Assertion = ReturnType<typeof assertionOf>;

function assertionOf({ client_id, token_url }: OAuthFile, signed: z.output<typeof assertion>) {
  const { key, algorithm, key_id, thumbprint, issuer, subject, audience, lifetime, claims } = signed;
  return {
    key,
    algorithm,
    header: onlyKnown({ kid: key_id, 'x5t#S256': thumbprint }),
    issuer: issuer ?? client_id,
    subject: subject ?? client_id,
    audience: audience ?? token_url,
    lifetimeMs: durationMs(lifetime),
    claims: claims ?? {},
  };
}
