import { type ClosedFolder, closeFolder, findOpenFolders } from '../../adapters/files/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

type OpenEntries = ClosedFolder['left'];

/** Names in a data directory that others must not read. They protect all entries below. */
const privateNames = [
  'innsigli.db*',
  'objects',
  'outbox',
  'outbox/mail',
  'outbox/sms',
  'register',
  'simulator',
  'trust',
];

/**
 * Removes the access rights of other users from a data directory created with a mode wider than
 * 0700, and reports it. In production a directory that cannot be restricted is rejected, and so is
 * a link to a folder that others can read.
 *
 * @throws config.datadir.unusable
 */
export function closeDataDir({ config, io }: { config: ResolvedConfig; io: ToolkitIo }): void {
  const { closed, left, linked } = closeFolder(config.dataDir, privateNames);
  if (closed.length > 0) {
    io.warn(
      `other users could read ${modesOf(closed)}: access was restricted to the owner`,
      'datadir.closed',
    );
  }
  const open = [
    [`${modesOf(left)}, and that cannot be changed`, left, ownHint],
    [`${modesOf(linked)}, the target of a link`, linked, linkHint(linked)],
  ] as const;
  for (const [what, { length }, hint] of open) {
    if (length === 0) continue;
    const message = `other users can read ${what}`;
    if (config.production) throw new InnsigliError('config.datadir.unusable', message, { hint });
    io.warn(message, 'datadir.open');
  }
}

/** Names in a data directory that other users can read, with advice. Changes nothing. */
export function findOpenData(
  dataDir: string,
): { readonly message: string; readonly hint: string } | undefined {
  const [open] = findOpenFolders(dataDir, privateNames);
  if (open === undefined) return undefined;
  const { path, mode } = open;
  const isOwn = path === dataDir;
  return {
    message: `${path}: expected mode ${octal(mode & 0o700)}, found ${octal(mode)}`,
    hint: isOwn
      ? `other users can read it: run chmod 700 ${path}; the service does so if you own it`
      : linkHint([open]),
  };
}

const ownHint = 'take ownership, or choose your own folder with --data-dir or INNSIGLI_HOME';

function linkHint(linked: OpenEntries): string {
  const words = linked.map(({ path, mode }) => `chmod ${octal(mode & 0o700).slice(1)} ${path}`);
  return `a link of the data directory leads there: ${words.join('; ')}`;
}

function modesOf(entries: OpenEntries): string {
  return entries.map(({ path, mode }) => `${path} (${octal(mode)})`).join(', ');
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}
