import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The one-time code in the newest SMS of a data directory. Empty if there is none. */
export function newestSms(dataDir: string): string {
  const folder = join(dataDir, 'outbox', 'sms');
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const inTime = paths.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  const texts = inTime.map((path) => readFileSync(path, 'utf8'));
  const codes = texts.flatMap((text) => /\b(\d{6})\b/.exec(text)?.[1] ?? []);
  return codes.at(-1) ?? '';
}
