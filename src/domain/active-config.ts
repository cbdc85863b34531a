/** An account's settings in one daemon. Each newly active configuration gets the next generation number. */
interface DaemonConfig {
  /** All settings as text, or their digest. */
  readonly settings: string;
  /** The generation in which these settings were last active. null: never. */
  readonly generation: number | null;
}

interface Activation extends DaemonConfig {
  /** This daemon's settings before it reloaded its file. null: the daemon is starting. */
  readonly before: string | null;
  /** The active configuration. null: the account has none yet. */
  readonly inForce: DaemonConfig | null;
  readonly others: readonly DaemonConfig[];
}

/**
 * Returns whether a daemon's settings replace the active ones: if no daemon ever had them, or a person changed the file
 * and reloaded it. Settings that were active before return only when no running daemon has newer ones.
 */
export function shouldActivate({ settings, generation, before, inForce, others }: Activation): boolean {
  if (inForce === null) return true;
  if (settings === inForce.settings) return false;
  const isNew = generation === null;
  const wasReloaded = before !== null && before !== settings;
  if (isNew || wasReloaded) return true;
  return others.every((other) => (other.generation ?? 0) <= generation);
}
