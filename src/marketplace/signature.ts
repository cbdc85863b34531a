import { createHmac, timingSafeEqual } from 'node:crypto';

/** How the marketplace signs webhooks: a setting, since the spec does not show it (field notes, Webhook signature). */
export interface SignatureScheme {
  /** Two secrets while a secret is being rotated. An empty secret verifies nothing. */
  readonly secrets: readonly string[];
  readonly algorithm: 'hmac-sha256';
  readonly encoding: 'base64' | 'hex';
}

/**
 * Does the header carry the signature of exactly these bytes under one of the secrets? The check takes the same time for every
 * header. Signatures hold no time: a replayed webhook verifies too, and must be harmless.
 */
export function verifySignature(rawBody: Buffer, header: string | undefined, scheme: SignatureScheme): boolean {
  const claimed = Buffer.from(scheme.encoding === 'hex' ? (header ?? '').trim().toLowerCase() : (header ?? '').trim());
  let valid = false;
  for (const secret of scheme.secrets) {
    if (secret === '') continue;
    const expected = Buffer.from(signatureOf(rawBody, secret, scheme.encoding));
    // The length is no secret. Every secret is tried, so that the time does not reveal which one fits.
    if (claimed.length === expected.length && timingSafeEqual(claimed, expected)) valid = true;
  }
  return valid;
}

/** The signature of these bytes under one secret. */
export function signatureOf(rawBody: Buffer, secret: string, encoding: SignatureScheme['encoding']): string {
  return createHmac('sha256', secret).update(rawBody).digest(encoding);
}
