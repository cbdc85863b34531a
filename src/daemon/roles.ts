export const ROLES = ['poll', 'receive', 'work', 'admin'] as const;
export type Role = (typeof ROLES)[number];
