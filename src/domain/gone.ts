export const WITNESSES = {
  'own-get': 'a whole list lacks it, and its side does not show it by its id',
  'own-write': 'a write to it was answered with 404, and its side does not show it by its id',
  'second-list': 'two whole lists in a row lack it',
  told: 'its side says that it was deleted',
} as const;

export type Witness = keyof typeof WITNESSES;

export interface Gone {
  /** Epoch milliseconds of the confirmation. */
  readonly sinceMs: number;
  readonly witness: Witness;
}

/** `Gone` as parameters of a cause. Both are null for an entity that no read ever showed. */
export interface ReportedGone {
  readonly since: string | null;
  readonly witness: Witness | null;
}

export function reportedGone(gone: Gone | null): ReportedGone {
  if (gone === null) return { since: null, witness: null };
  return { since: new Date(gone.sinceMs).toISOString(), witness: gone.witness };
}

/** `gone since 2026-11-02T10:00:00.000Z: two whole lists in a row lack it` */
export function goneText({ since, witness }: ReportedGone): string {
  return since === null || witness === null ? 'not shown' : `gone since ${since}: ${WITNESSES[witness]}`;
}
