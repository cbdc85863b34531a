import { z } from 'zod';
import { doc, postgresUrl, redisUrl, text } from '../settings/scalars.ts';
import * as check from './contradictions.ts';

export const state = doc(
  z
    .strictObject({
      dir: doc(
        text().prefault('data'),
        'Folder of the database (stockbridge.db) and of locks, from the working directory.',
      ),
      store: doc(
        z.enum(['sqlite', 'postgres']).prefault('sqlite'),
        'The database: a file in `dir`, or PostgreSQL, which several daemons share.',
      ),
      postgres: doc(
        postgresUrl(),
        'Your PostgreSQL, for `store: postgres`. Keep it out of this file: ${env:NAME} or ${file:PATH}.',
      ).optional(),
      redis: doc(redisUrl(), 'Your own Redis. Without it a private redis-server is started.').optional(),
      redis_sentinels: doc(
        z.array(redisUrl()).min(1).max(20),
        'The sentinels that know which server is the primary. `redis` then has the name of the primary in place of a host. User and password of the first sentinel count for all of them.',
      ).optional(),
      redis_cluster: doc(
        z.array(redisUrl()).min(1).max(100),
        'Further nodes of the cluster that `redis` belongs to, for the first contact. The cluster tells the rest. User and password of `redis` count for all of them.',
      ).optional(),
    })
    .superRefine(check.redis, { when: check.always })
    .prefault({}),
  'The data of the daemon.',
);
