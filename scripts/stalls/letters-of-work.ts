import { inWaves, type Letter } from './frame.ts';
import { call } from './watch.ts';

/** Attacks that ask for much work with little. */
export const work: readonly Letter[] = [
  {
    letter: 'none',
    what: 'no attack',
    attack: (site, until) =>
      inWaves(until, async () => {
        await new Promise((done) => setTimeout(done, 100));
        return [await call(site.url, 'GET', '/healthz', { agent: false })];
      }),
  },
];
