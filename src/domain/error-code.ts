/** An error code of Node, the system or a driver: `ENOENT`, `SQLITE_BUSY`. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code } = error;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : null;
}
