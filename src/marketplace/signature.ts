import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * How the marketplace signs webhooks. A setting, because the spec does not show it (field notes, Webhook signature).
 */
export interface SignatureScheme {
  /** Two during a rotation. An empty secret verifies nothing. */
  readonly secrets: readonly string[];
  readonly algorithm: 'hmac-sha1' | 'hmac-sha256' | 'hmac-sha512';
  readonly encoding: 'base64' | 'hex';
  /** The text before the signature in the header: `sha256=`. */
  readonly prefix: string;
}

/** Constant time. Signatures have no time: a replayed webhook passes too, and must be harmless. */
export function verifySignature(rawBody: Buffer, header: string | undefined, scheme: SignatureScheme): boolean {
  const { encoding, prefix, secrets } = scheme;
  const text = (header ?? '').trim();
  if (!text.startsWith(prefix)) return false;
  const signature = text.slice(prefix.length);
  const claimed = Buffer.from(prefix + (encoding === 'hex' ? signature.toLowerCase() : signature));
  let valid = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const expected = Buffer.from(signatureOf(rawBody, secret, scheme));
    // The length is not secret. Every secret is tried, so that the time does not reveal which one fits.
    if (claimed.length === expected.length && timingSafeEqual(claimed, expected)) valid = true;
  }
  return valid;
}

export function signatureOf(
  rawBody: Buffer,
  secret: string,
  { algorithm, encoding, prefix }: Omit<SignatureScheme, 'secrets'>,
): string {
  return prefix + createHmac(algorithm.slice('hmac-'.length), secret).update(rawBody).digest(encoding);
}
