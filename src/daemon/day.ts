import type { Log } from '../logging.ts';

const LOOK_EVERY_MS = 60_000;

interface Looked {
  readonly context: { readonly account: string };
}

/** Looks at each account every minute for the figures of its last day. What a look that fails would show is missing there. */
export function startDay<Opened extends Looked>(
  opened: readonly Opened[],
  look: (one: Opened) => Promise<void>,
  log: Log,
) {
  let running = false;
  const lookAtAll = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (const one of opened) {
      const { account } = one.context;
      await look(one).catch((error: unknown) => log.debug({ account, err: error }, 'not in the figures of the day'));
    }
    running = false;
  };
  void lookAtAll();
  const timer = setInterval(() => void lookAtAll(), LOOK_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
