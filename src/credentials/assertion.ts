import { constants, randomUUID, sign } from 'node:crypto';
import type { Assertion } from '../settings/auth.ts';

/** A JWT (RFC 7519) that identifies the client in a token request (RFC 7523), signed now. */
export function signedAssertion(assertion: Assertion, nowMs: number): string {
  const { algorithm, header, issuer, subject, audience, lifetimeMs, claims } = assertion;
  const issuedAt = Math.floor(nowMs / 1_000);
  const payload = {
    iss: issuer,
    sub: subject,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + Math.floor(lifetimeMs / 1_000),
    jti: randomUUID(),
    ...claims,
  };
  const signed = [{ alg: algorithm, typ: 'JWT', ...header }, payload].map(encoded).join('.');
  return `${signed}.${signatureOf(assertion, signed)}`;
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** RFC 7518, 3.3 to 3.5. */
function signatureOf({ key, algorithm }: Assertion, text: string): string {
  const how = {
    RS256: { key },
    PS256: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    ES256: { key, dsaEncoding: 'ieee-p1363' as const },
  }[algorithm];
  return sign('sha256', Buffer.from(text), how).toString('base64url');
}
