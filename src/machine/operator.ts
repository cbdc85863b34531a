import { userInfo } from 'node:os';

/** The user who runs this program, for the audit log. In a container, a user may have no name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
