import { readFileSync } from 'node:fs';

declare const INNSIGLI_VERSION: string | undefined;

/** The version of the package, which the build embeds in the program. */
export function packageVersion(): string {
  if (typeof INNSIGLI_VERSION === 'string') return INNSIGLI_VERSION;
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
