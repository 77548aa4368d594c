import { expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

it('uses the home folder if the working directory was deleted', () => {
  const gone = () => {
    throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
  };
  expect(readEnvironment({ HOME: '/home/me' }, gone)).toMatchObject({ cwd: '/home/me', home: '/home/me' });
  expect(readEnvironment({ HOME: '/home/me' }, () => '/srv/shop').cwd).toBe('/srv/shop');
});
