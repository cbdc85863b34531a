import type { TokenPlace, TokenStore } from '../tokens.ts';
import { and, eq, lte, ne } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { deleteWhere, rowBy, updateWhere } from './queries.ts';
import { tokens } from './tables/access.ts';

const find = rowBy(tokens, 'account', 'side', 'source');
const of = ({ account, side }: TokenPlace) => and(eq(tokens.account, account), eq(tokens.side, side));
const at = (place: TokenPlace, version: number) =>
  and(of(place), eq(tokens.source, place.source), eq(tokens.version, version));

export const tokenReads = {
  get({ db }, place) {
    const row = find(db, place);
    if (row === undefined) return { tokens: null, version: 0 };
    const { version, accessToken, refreshToken, obtainedAtMs, expiresAtMs } = row;
    return { tokens: accessToken === '' ? null : { accessToken, refreshToken, obtainedAtMs, expiresAtMs }, version };
  },
} satisfies Reads<TokenStore>;

export const tokenWrites = {
  claim({ tx, nowMs }, { account, side, source }, version, holdMs) {
    const place = { account, side, source };
    if (version === 0) {
      const none = { version, claimedUntilMs: 0, obtainedAtMs: 0 };
      tx.insert(tokens)
        .values({ ...place, ...none })
        .onConflictDoNothing()
        .run();
    }
    const isFree = and(at(place, version), lte(tokens.claimedUntilMs, nowMs));
    return updateWhere(tx, tokens, { claimedUntilMs: nowMs + holdMs }, isFree) > 0;
  },

  release({ tx }, place, version) {
    tx.update(tokens).set({ claimedUntilMs: 0 }).where(at(place, version)).run();
  },

  record({ tx }, place, version, given) {
    const set = { ...given, version: version + 1, claimedUntilMs: 0 };
    const isRecorded = updateWhere(tx, tokens, set, at(place, version)) > 0;
    // Deletes this account's tokens of this side from an earlier client, token server or first refresh token.
    if (isRecorded) deleteWhere(tx, tokens, and(of(place), ne(tokens.source, place.source)));
    return isRecorded;
  },
} satisfies Writes<TokenStore>;
