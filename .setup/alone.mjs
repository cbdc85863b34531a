import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SetupError, say } from './say.mjs';

const WAIT_LIMIT_MS = 20 * 60_000;
const folder = fileURLToPath(new URL('../.stockbridge', import.meta.url));
const lock = join(folder, 'setup.lock');
const claimOf = (pid) => join(folder, `setup.${pid}`);

/** Runs `work` while no other set-up of this checkout does: two first runs at once must not break each other. */
export async function alone(work) {
  const mine = claimOf(process.pid);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(mine, String(process.pid));
  } catch (error) {
    throw new SetupError(`${folder} cannot be written (${error.code}): run this once as the owner of the folder`);
  }
  try {
    await take(mine);
    try {
      return await work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

async function take(mine) {
  const deadline = Date.now() + WAIT_LIMIT_MS;
  for (let told = false; !taken(mine); told = true) {
    const holder = readHolder();
    if (holder !== null && !alive(holder)) discard(holder);
    else {
      if (!told) say(`waiting for another set-up of this folder (process ${holder}) ...`);
      if (Date.now() > deadline)
        throw new SetupError(`another set-up holds ${lock}: remove that file if none is running`);
      await sleep(200);
    }
  }
}

/** Takes the lock by a hard link: it appears whole, with the holder's id in it, or not at all. */
function taken(mine) {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder() {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return null;
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes a dead holder's lock. A lock that another set-up took in between is put back. */
function discard(holder) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (Number(readFileSync(aside, 'utf8')) !== holder) linkSync(aside, lock);
    else rmSync(claimOf(holder), { force: true });
    rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}
