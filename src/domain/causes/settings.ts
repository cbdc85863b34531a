import { nobody, on, sharing } from './entry.ts';

export const SETTING_CODES = on('configuration', {
  'settings-comparing': sharing(
    [],
    nobody(
      'The settings have changed, and not every entity has been compared with them yet',
      'Nothing to do: it ends when the lists have been read and everything has been looked at.',
    ),
  ),
});
