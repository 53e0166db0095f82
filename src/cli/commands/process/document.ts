import { InnsigliError } from '../../../base/errors.ts';
import { commandLine } from '../../advice.ts';
import { command } from '../../command/index.ts';
import { requireOneStream } from '../../context.ts';
import { byteCount, shownName } from '../../output/index.ts';

/** Writes the document or an attachment of a process. */
export const processContent = command('process document', {
  summary: 'write the document of a process',
  description: 'Write the document with its signatures so far, or an attachment.',
  args: { '<process>': 'key of the process' },
  options: {
    '-o, --output <file>': { text: 'output file, or - for stdout', required: true },
    '--attachment <id>': 'write this attachment instead: its ID or file name',
    '-f, --force': 'replace an existing file',
  },
  examples: {
    'innsigli process document sp12… -o document.pdf': 'with the signatures it has so far',
    'innsigli process document sp12… --attachment at12… -o evidence.pdf': 'its evidence page',
  },
  exits: { 0: 'written', 2: 'the file exists', 5: 'no such process or file' },
  check: ({ output }, context) => requireOneStream(output, context),
  call: async ({ processes }, { process: key, output, attachment, force }, context) => {
    const { io, globals } = context;
    const find = async (name: string) => {
      const { key: whole, attachments, purgedAtMs } = await processes.show({ key });
      const named =
        attachments.find(({ fileName }) => fileName === name) ??
        attachments.find((each) => each.key === name);
      // A purged process has a separate error.
      if (named === undefined && purgedAtMs === undefined) {
        const message = `process ${whole} has no file ${shownName(name)}`;
        const hint = `list its files with ${commandLine(`process show ${whole}`, globals)}`;
        throw new InnsigliError('process.file.not_found', message, { hint });
      }
      return processes.attachment(key, named?.key ?? name);
    };
    const content = await (attachment === undefined ? processes.document(key) : find(attachment));
    const { writeNewFile } = await import('../../files/index.ts');
    writeNewFile(output, content, { force: force === true }, io);
    return output === '-' ? undefined : { output, lengthBytes: content.length };
  },
  text: ({ output, lengthBytes }, { console }) =>
    console.note(`wrote ${byteCount(lengthBytes)} to ${shownName(output)}`),
});
