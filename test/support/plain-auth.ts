import type { AccountConfig } from '../../src/config/resolve.ts';

/** The key and the token of an account that asks no token server. */
export function plainAuth({ marketplace, erp }: AccountConfig) {
  if (marketplace.auth.scheme === 'oauth2' || erp.auth.scheme === 'oauth2') throw new Error('it asks a token server');
  return { auth: marketplace.auth, token: erp.auth.token };
}
