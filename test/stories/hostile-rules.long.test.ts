import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, until } from '../support/stage.ts';

test('a rule that never ends on one product holds that product with its name; probes, other products and SIGTERM go on', async () => {
  const rule = 'tidy: \'$replace(name, /([ ,]*,[ ,]*)+$/, "")\'';
  const stage = await openStage({ account: `    products: { fields: { ${rule} } }` });
  stage.erp.control.seed(3);
  stage.erp.control.setProduct('SB-0002', { name: `Jar ${','.repeat(40)}x` });
  const daemon = startDaemon(stage.configFile);
  const admin = await until('it listens', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  const held = async () => (await run(['jobs', 'list', '--state', 'held', '--config', stage.configFile])).stdout;
  const probes: number[] = [];
  await until('the product is held', async () => {
    probes.push((await fetch(`${admin}/livez`)).status);
    return /products\.fields\.tidy: it was ended after 2 seconds/.test(await held());
  });
  expect(probes.length).toBeGreaterThan(3);
  expect(new Set(probes)).toEqual(new Set([200]));
  await until('the others are listed', () => stage.marketplace.products().length === 2);
  expect(
    stage.marketplace
      .products()
      .map(({ sku }) => sku)
      .toSorted(),
  ).toEqual(['SB-0001', 'SB-0003']);

  stage.erp.control.setProduct('SB-0002', { name: `Jar ${','.repeat(41)}x` });
  expect(await daemon.terminate()).toBe(0);
});
