import type { AccountConfig } from '../../src/config/resolve.ts';

/** The key and the token of an account that asks no token server. */
export function plainAuth({ marketplace, erp }: AccountConfig) {
  const { token } = erp.credentials;
  if (marketplace.auth.scheme === 'oauth2' || token?.scheme !== 'fixed') throw new Error('it asks a token server');
  return { auth: marketplace.auth, token: token.secret };
}
