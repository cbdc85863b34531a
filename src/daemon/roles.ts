/** The parts of the daemon. One process runs them all, or several share them. */
export const ROLES = ['poll', 'receive', 'work', 'admin'] as const;
export type Role = (typeof ROLES)[number];
