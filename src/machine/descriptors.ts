import { readdirSync, readFileSync } from 'node:fs';

export interface Descriptors {
  readonly open: number;
  readonly allowed: number;
}

export const RAISE_LIMIT = 'raise the limit ("ulimit -n", or LimitNOFILE of systemd)';

/**
 * null: the system does not tell, as outside of Linux, or for another user's process.
 * @param pid the process id, or `self`
 */
export function descriptors(pid = 'self'): Descriptors | null {
  const allowed = allowedNow(pid);
  if (allowed === null) return null;
  try {
    // The folder itself is open while it is read.
    return { open: readdirSync(`/proc/${pid}/fd`).length - (pid === 'self' ? 1 : 0), allowed };
  } catch {
    // No descriptor is left for this read either.
    return pid === 'self' ? { open: allowed, allowed } : null;
  }
}

/** Did something fail for lack of a descriptor? Then nobody else is at fault. @param code the system's error code */
export function isOutOfDescriptors(code: string | null): code is 'EMFILE' | 'ENFILE' {
  return code === 'EMFILE' || code === 'ENFILE';
}

export function outOfDescriptorsText(code: string, counted = descriptors()): string {
  if (code === 'ENFILE') return 'This machine has no file descriptors left: raise fs.file-max, or end other programs.';
  const figures = counted === null ? '' : `: ${counted.open} of ${counted.allowed} are open`;
  return `This program has no file descriptors left${figures}. ${RAISE_LIMIT.replace(/^r/, 'R')}.`;
}

/** The limit cannot be read while no descriptor is left, so it is read at the start too. */
const ALLOWED_AT_START = readAllowed('self');

function allowedNow(pid: string): number | null {
  return readAllowed(pid) ?? (pid === 'self' ? ALLOWED_AT_START : null);
}

function readAllowed(pid: string): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
