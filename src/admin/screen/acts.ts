import { z } from 'zod';
import { accountFor } from '../../use/accounts.ts';
import { PAUSABLE, resume } from '../../use/pauses.ts';
import { type Act, act } from './act.ts';

const account = z.string().min(1).max(200);
const flow = z.enum(PAUSABLE as [string, ...string[]]);
const what = (name: string) => (name === 'all' ? 'Everything' : name);

/** Everything that an operator can do with the forms of the screen. */
export const ACTS: readonly Act[] = [
  act({
    name: 'pause',
    form: z.object({ account, flow, reason: z.string().trim().max(300).default('') }),
    async run({ config, store, by }, form) {
      const { name } = accountFor(config, form.account);
      await store.pauses.pause(name, form.flow, form.reason === '' ? `by ${by}` : form.reason, by);
      return { said: `${what(form.flow)} is paused: nothing of it is written. Reading goes on.` };
    },
  }),
  act({
    name: 'resume',
    form: z.object({ account, flow }),
    async run(opened, form) {
      const { released } = await resume(opened, accountFor(opened.config, form.account).name, form.flow);
      return { said: `${what(form.flow)} goes on. ${released} that were held for it are looked at again.` };
    },
  }),
];
