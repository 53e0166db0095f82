import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newTemporaryFolder } from './folders.ts';

/** Whether the openssl program is available, and a note for test titles if not. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
/** Suffix for the title of a suite that needs openssl. */
export const opensslNote = hasOpenssl ? '' : ' (skipped: openssl is not installed)';

/** Output of openssl. */
export interface OpensslAnswer {
  readonly status: number | null;
  /** Standard output followed by standard error. */
  readonly text: string;
}

/** Runs openssl on files given as bytes; `{name}` in an argument is the path of that file. */
export function openssl(
  args: readonly string[],
  files: Readonly<Record<string, Uint8Array | string>> = {},
): OpensslAnswer {
  const folder = newTemporaryFolder('openssl');
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const paths = args.map((arg) => arg.replace(/\{([\w.-]+)\}/g, (_, name) => join(folder, name)));
    const { status, stdout, stderr } = spawnSync('openssl', paths, {
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { status, text: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** PEM text of one or several values. */
export function pem(label: string, ...ders: readonly Uint8Array[]): string {
  return ders
    .map((der) => {
      const body =
        Buffer.from(der)
          .toString('base64')
          .match(/.{1,64}/g) ?? [];
      return `-----BEGIN ${label}-----\n${body.join('\n')}\n-----END ${label}-----\n`;
    })
    .join('');
}
