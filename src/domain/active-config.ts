/** The configuration of an account as one daemon has it, by its place in the order in which configurations came into force. */
interface Had {
  /** The text of all settings, or its digest. */
  readonly settings: string;
  /** The generation under which these settings were last in force; null: never. */
  readonly generation: number | null;
}

interface Announced extends Had {
  /** The settings that this daemon had before it read its file again; null: it starts. */
  readonly before: string | null;
  /** The configuration in force; null: there was none yet. */
  readonly inForce: Had | null;
  /** The configurations of the other daemons that live and work. */
  readonly others: readonly Had[];
}

/**
 * Do a daemon's settings of an account come into force, in place of those that are? They do when they are news: nobody ever had them,
 * or a person changed the file and told the daemon to read it. Settings that were in force before are the older ones. They come
 * back once no living daemon has the newer ones, and no other has newer ones than these.
 */
export function shouldActivate({ settings, generation, before, inForce, others }: Announced): boolean {
  if (inForce === null) return true;
  if (settings === inForce.settings) return false;
  const isNew = generation === null;
  const isToldSo = before !== null && before !== settings;
  if (isNew || isToldSo) return true;
  return others.every((other) => (other.generation ?? 0) <= generation);
}
