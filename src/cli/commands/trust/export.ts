import { createHash } from 'node:crypto';
import { command } from '../../command/index.ts';
import { requireOneStream } from '../../context.ts';
import { writeNewFile } from '../../files/index.ts';
import { byteCount, printable } from '../../output/index.ts';
import { openProfiles } from './options.ts';

/** Writes a profile and its lists to a single file. */
export const trustExport = command('trust export', {
  summary: 'write a profile and its lists to one file',
  description:
    'Write a trust profile with all its lists to one file, for machines without network access.',
  args: { '<profile>': 'name' },
  options: {
    '-o, --output <file>': { text: 'file, or - for stdout', required: true },
    '-f, --force': 'replace an existing file',
  },
  help: ['The same profile always yields the same bytes, so bundles can be compared by digest.'],
  examples: { 'innsigli trust export eu -o eu.trust': 'for trust import' },
  exits: {
    0: 'written',
    1: 'the file cannot be written',
    2: 'the file exists',
    5: 'no such profile',
    10: 'the profile is damaged',
  },
  check: ({ output }, context) => requireOneStream(output, context),
  run: async ({ profile, output, force }, context) => {
    const { io } = context;
    const bytes = await (await openProfiles(context)).export(profile);
    writeNewFile(output, bytes, { force: force === true }, io);
    if (output === '-') return undefined;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { profile, output, lengthBytes: bytes.length, sha256 };
  },
  text: ({ output, lengthBytes, sha256 }, { console }) => {
    console.note(`${printable(output)}: ${byteCount(lengthBytes)}, SHA-256 ${sha256}`);
  },
});
