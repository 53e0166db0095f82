import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newTemporaryFolder } from '../../support/folders.ts';

const { stdout } = spawnSync('xmlsec1', ['--version'], { encoding: 'utf8' });
/** Whether xmlsec1 1.2 can be run; 1.3 has different options and keys. */
export const hasXmlsec1 = /^xmlsec1 1\.2\./.test(stdout ?? '');
/** Suffix of the title of a suite that needs xmlsec1. */
export const xmlsec1Note = hasXmlsec1 ? '' : ' (skipped: xmlsec1 1.2 is not installed)';
if (!hasXmlsec1) console.warn('skipped: xmlsec1 1.2 is not installed');

/** The result of an xmlsec1 run. */
export interface Xmlsec1Answer {
  readonly accepted: boolean;
  /** Standard output. */
  readonly output: Uint8Array;
  /** Standard error. */
  readonly errors: string;
}

/** Runs xmlsec1 in a folder. */
export function xmlsec1(args: readonly string[], folder: string): Promise<Xmlsec1Answer> {
  const options = { cwd: folder, encoding: 'buffer', timeout: 20_000 } as const;
  return new Promise((done) => {
    execFile('xmlsec1', args, options, (error, output, errors) => {
      done({ accepted: error === null, output, errors: errors.toString('utf8') });
    });
  });
}

/** Creates a folder with files, and returns the functions on it. */
export function folderWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const path = newTemporaryFolder('xmlsec1');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return {
    path,
    write: (name: string, content: Uint8Array | string) => writeFileSync(join(path, name), content),
    read: (name: string) => new Uint8Array(readFileSync(join(path, name))),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
