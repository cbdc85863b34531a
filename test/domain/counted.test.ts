import { expect, test } from 'vitest';
import { counted } from '../../src/domain/counted.ts';

test('counts are written as a person writes them', () => {
  expect([counted(1, 'order'), counted(0, 'order'), counted(2, 'failed job')]).toEqual([
    '1 order',
    '0 orders',
    '2 failed jobs',
  ]);
});
