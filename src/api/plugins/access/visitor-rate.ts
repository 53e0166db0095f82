import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';
import { openBuckets, tooOften } from './rate-limit.ts';

/**
 * Refuses files of visitors who send them too often, or too much of them, before their bodies are
 * read.
 */
export function addVisitorRate(app: ApiApp, now: () => number): void {
  const checks = openBuckets({
    perSecond: limits.pageChecksPerSecond,
    atOnce: limits.pageChecksAtOnce,
  });
  const bytes = openBuckets({
    perSecond: limits.pageBytesPerSecond,
    atOnce: limits.pageBytesAtOnce,
  });
  app.addHook('onRequest', async ({ routeOptions, headers, ip }) => {
    if (routeOptions.config.facts?.bodiesOf !== 'visitors') return;
    const most = routeOptions.bodyLimit;
    // A body of unknown length counts as the longest one; a longer one is refused unread.
    const said = Number(headers['content-length'] ?? most);
    const lengthBytes = said > most ? 0 : said;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const cost = isForm === true ? limits.pageFormCost : 1;
    for (const { key, shares } of clientNetworks(ip)) {
      const waitSeconds =
        checks.take(key, now(), shares, cost) || bytes.take(key, now(), shares, lengthBytes);
      if (waitSeconds > 0) throw tooOften(limits.pageChecksPerSecond * shares, waitSeconds);
    }
  });
}
