import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionStore } from '../../store/sessions.ts';
import { type AdminKeys, type Known, proofOf, withProof } from '../access.ts';

/** A working day: then everybody logs in again. */
const LASTS_MS = 12 * 60 * 60_000;
const MOST = 1_000;
const LINK_LASTS_MS = 60 * 60_000;
const SECRET_BYTES = 32;

/** Somebody who is logged in, by the cookie of the browser. */
export interface LoggedIn {
  readonly caller: Known;
  /** The text of the cookie. */
  readonly secret: string;
}

export interface Sessions {
  /** The text of the cookie of a new session. */
  begin(caller: Known): Promise<string>;
  /** null: there is none, it is over, or what it began with is in force no longer. */
  find(secret: string | undefined): Promise<LoggedIn | null>;
  end(secret: string): Promise<void>;
  /** A code that lets somebody in once. */
  invite(caller: Known): string;
  /** null: there is no such code, or it was used. */
  take(code: string): Known | null;
}

/** @param keys everything that lets somebody in now */
export function createSessions(store: SessionStore, keys: () => AdminKeys, nowMs: () => number): Sessions {
  const invited = new Map<string, { readonly caller: Known; readonly untilMs: number }>();
  return {
    async begin({ proof }) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      await store.begin({ hash: proofOf(secret), proof, endsAtMs: nowMs() + LASTS_MS }, MOST);
      return secret;
    },
    async find(secret) {
      if (secret === undefined) return null;
      const session = await store.get(proofOf(secret));
      const caller = session === null ? null : withProof(session.proof, keys());
      return caller === null ? null : { caller, secret };
    },
    end: (secret) => store.end(proofOf(secret)),
    invite(caller) {
      const code = randomBytes(SECRET_BYTES).toString('base64url');
      invited.set(proofOf(code), { caller, untilMs: nowMs() + LINK_LASTS_MS });
      return code;
    },
    take(code) {
      const hash = proofOf(code);
      const found = invited.get(hash);
      invited.delete(hash);
      return found === undefined || found.untilMs < nowMs() ? null : found.caller;
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
