import { limits } from '../../../base/limits.ts';
import type { ApiApp } from '../../route.ts';
import { openRateLimit } from './rate-limit.ts';

/**
 * Refuses files of visitors who send them too often, or too much of them, before their bodies are
 * read.
 */
export function addVisitorRate(app: ApiApp, now: () => number): void {
  const checks = openRateLimit(limits.pageChecksPerSecond, { atOnce: limits.pageChecksAtOnce });
  const bytes = openRateLimit(limits.pageBytesPerSecond, {
    atOnce: limits.pageBytesAtOnce,
    isWhole: true,
  });
  app.addHook('onRequest', async ({ routeOptions, headers, ip }) => {
    if (routeOptions.config.facts?.bodiesOf !== 'visitors') return;
    const most = routeOptions.bodyLimit;
    // A body of unknown length counts as the longest one; a longer one is refused unread.
    const said = Number(headers['content-length'] ?? most);
    const lengthBytes = said > most ? 0 : said;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    checks.takeOf(ip, now(), isForm === true ? limits.pageFormCost : 1);
    bytes.takeOf(ip, now(), lengthBytes);
  });
}
