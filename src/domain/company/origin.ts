import { InnsigliError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';

/** Origins that a company may register. */
export const originsMax = 20;

const charactersMax = 300;

// No path, not even a slash, no credentials, and no blank.
const form = /^https?:\/\/[^\s/?#@\\*]+$/i;

/**
 * The origin in `text` as browsers write it, lower case and without a usual port; undefined for
 * what is none that can be registered: `https://host`, `https://host:port`, and `http://` of this
 * machine.
 *
 * @spec RFC 6454 §6.2
 */
export function findOrigin(text: string): string | undefined {
  if (text.length > charactersMax || !form.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname) ? origin : undefined;
}

/** As {@link findOrigin}. @throws validation.error */
export function parseOrigin(text: string): string {
  const found = findOrigin(text);
  if (found !== undefined) return found;
  const shown = `"${text.slice(0, 100)}"`;
  throw new InnsigliError(
    'validation.error',
    `origin: expected https://host[:port], found ${shown}`,
    {
      details: { field: 'origin' },
      hint: hintFor(text),
    },
  );
}

function hintFor(text: string): string {
  if (text.includes('*')) return 'name each origin: there are no wildcards';
  if (/^http:/i.test(text)) return 'http is taken of this machine only, such as localhost';
  if (/^https:\/\/[^/]+\//i.test(text)) return 'leave out what stands behind the host and its port';
  return 'scheme and host, as the page has them in location.origin';
}
