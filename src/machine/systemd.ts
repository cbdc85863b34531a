import { spawn } from 'node:child_process';

/**
 * Tells systemd that the service is ready and, as often as its unit asks, that the event loop runs. Node cannot send
 * datagrams to a unix socket, so systemd's own program sends them, which the unit allows (NotifyAccess=all).
 * @param onTrouble gets the reason of a failure
 * @returns stops it
 */
export function notifySystemd(
  env: Readonly<Record<string, string | undefined>>,
  onTrouble: (error: Error) => void,
): () => void {
  if (env['NOTIFY_SOCKET'] === undefined) return () => {};
  const tell = (word: string): void => {
    const teller = spawn('systemd-notify', [word], { stdio: 'ignore', env });
    teller.once('error', onTrouble);
    teller.once('exit', (code) => {
      if (code !== 0) onTrouble(new Error(`systemd-notify ended with ${code}`));
    });
    teller.unref();
  };
  tell('READY=1');
  const withinMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1_000;
  if (!(withinMs > 0)) return () => {};
  // A third of the interval allows for a busy machine.
  const telling = setInterval(tell, withinMs / 3, 'WATCHDOG=1');
  return () => clearInterval(telling);
}
