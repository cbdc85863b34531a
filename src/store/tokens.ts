import type { Side } from '../domain/failure.ts';

/**
 * The side to which tokens give access. `source` names the configured client and grant, which have tokens of their own.
 */
export interface TokenPlace {
  readonly account: string;
  readonly side: Side;
  readonly source: string;
}

export interface Tokens {
  readonly accessToken: string;
  /** null: the grant has none. */
  readonly refreshToken: string | null;
  readonly obtainedAtMs: number;
  /** null: unknown. */
  readonly expiresAtMs: number | null;
}

export interface KnownTokens {
  /** null: none of this source. */
  readonly tokens: Tokens | null;
  /** Rises with each recording. */
  readonly version: number;
}

/** A refresh token works once. So one process at a time may use it, and new tokens are stored before use. */
export interface TokenStore {
  get(place: TokenPlace): Promise<KnownTokens>;

  /** Claims the request for the tokens after `version`, for `holdMs`. False: another process has, or had, the claim. */
  claim(place: TokenPlace, version: number, holdMs: number): Promise<boolean>;

  /** Returns an unused claim. */
  release(place: TokenPlace, version: number): Promise<void>;

  /** Stores new tokens. False: others were stored since `version` and are in force. */
  record(place: TokenPlace, version: number, tokens: Tokens): Promise<boolean>;
}
