import { timingSafeEqual } from 'node:crypto';
import type { SessionStore } from '../../store/sessions.ts';
import { keepSecret, LINK, linkPath, proofOf } from '../../use/log-in-links.ts';
import { type AdminKeys, type Known, withProof } from '../access.ts';

/** A working day: then everybody logs in again. */
const LASTS_MS = 12 * 60 * 60_000;

/** Somebody who is logged in, by the cookie of the browser. */
interface LoggedIn {
  readonly caller: Known;
  /** The text of the cookie. */
  readonly secret: string;
}

export interface Sessions {
  /** The text of the cookie of a new session. */
  begin(caller: Known): Promise<string>;
  /** null: there is no such session, it is over, or the token or password that it began with is in force no longer. */
  find(secret: string | undefined): Promise<LoggedIn | null>;
  end(secret: string): Promise<void>;
  /** Makes the path of a link that lets somebody in once, at any process that shares the store. */
  invite(caller: Known): Promise<string>;
  /** The caller that the code would let in. The code can still be used afterwards. */
  invited(code: string): Promise<Known | null>;
  /** null: there is no such code, it was used, or the token or password behind it is in force no longer. */
  take(code: string): Promise<Known | null>;
}

/** @param keys everything that lets somebody in now */
export function createSessions(store: SessionStore, keys: () => Promise<AdminKeys>, nowMs: () => number): Sessions {
  const behind = async (hash: string): Promise<Known | null> => {
    const session = await store.get(hash);
    return session === null ? null : withProof(session.proof, await keys());
  };
  return {
    begin: ({ proof }) => keepSecret(store, { proof, prefix: '', endsAtMs: nowMs() + LASTS_MS }),
    async find(secret) {
      if (secret === undefined) return null;
      const caller = await behind(proofOf(secret));
      return caller === null ? null : { caller, secret };
    },
    async end(secret) {
      await store.end(proofOf(secret));
    },
    invite: ({ proof }) => linkPath(store, proof, nowMs()),
    invited: (code) => behind(proofOf(LINK + code)),
    async take(code) {
      const hash = proofOf(LINK + code);
      const caller = await behind(hash);
      // Several requests may bring the same code at once. Only the first one ends it.
      const isFirst = await store.end(hash);
      return isFirst ? caller : null;
    },
  };
}

/** The text that every form of a session carries: another site cannot know it. */
export function formToken(secret: string): string {
  return proofOf(`form ${secret}`);
}

export function isFormToken(given: unknown, secret: string): boolean {
  const [wanted, text] = [Buffer.from(formToken(secret)), Buffer.from(typeof given === 'string' ? given : '')];
  return wanted.length === text.length && timingSafeEqual(wanted, text);
}
