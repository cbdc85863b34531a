import { expect } from 'vitest';
import { needing } from '../../support/needing.ts';
import { openForeign, sectionOf, startForeign } from './foreign.ts';

/** Fails at the row after those of the first two pages, when these were sent. */
const FAILS_LATE = `create function failing(id int) returns text begin
  if id > 1200 then do sleep(0.5); signal sqlstate '45000' set message_text = 'of the third page'; end if;
  return '';
end`;

needing('mariadb').test(
  'a database error that comes while a page is stored fails the list, and does not end the program',
  async () => {
    const database = await startForeign('mariadb', 1_500);
    await database.admin(FAILS_LATE);
    await database.admin("grant execute on function failing to bridge@'%'");
    const section = sectionOf('mariadb', database.port, ({ lists }) => {
      const products = lists['products'] ?? { query: '' };
      products.query = products.query.replace('bez', 'concat(bez, failing(art_id))');
    });
    const erp = await openForeign(section);
    const running = "select count(*) as n from information_schema.processlist where command = 'Execute'";
    let pages = 0;
    const read = async (): Promise<void> => {
      for await (const _page of erp.listProducts(null)) {
        pages += 1;
        await expect.poll(async () => Number((await database.admin(running))[0]?.['n']), { timeout: 20_000 }).toBe(0);
      }
    };
    await expect(read()).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('of the third page'),
    });
    expect(pages).toBe(1);
    await erp.close();
    await database.stop();
  },
);
