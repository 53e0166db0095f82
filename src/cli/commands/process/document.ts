import type { Command } from 'commander';
import { InnsigliError } from '../../../base/errors.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { byteCount, shownName } from '../../output/index.ts';
import { commandLine } from '../../report/index.ts';
import { useService } from '../../use-service.ts';

interface ParsedOptions {
  readonly output: string;
  readonly attachment?: string;
  readonly force?: boolean;
}

/** Adds `process document` to the command tree. */
export function defineProcessDocument(group: Command, start: Start): void {
  const command = group
    .command('document')
    .summary('write the document of a process')
    .description('Write the document with the signatures it has now, or an attachment.')
    .argument('<process>', 'key of the process')
    .requiredOption('-o, --output <file>', 'where to, or - for stdout')
    .option('--attachment <id>', 'this attachment instead: its id, or its file name')
    .option('-f, --force', 'replace an existing file');
  documentCommand(command, {
    examples: [
      ['innsigli process document sp12… -o signed.pdf', 'at any time of the process'],
      ['innsigli process document sp12… --attachment at12… -o evidence.pdf', 'its evidence page'],
    ],
    exits: [
      [0, 'written'],
      [2, 'the file exists'],
      [5, 'no such process or file'],
    ],
  });
  command.action((key: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runProcessDocument(key, options, context)),
  );
}

/** Writes the document or an attachment of a process. */
export async function runProcessDocument(
  key: string,
  { output, attachment, force }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io, globals } = context;
  if (output === '-' && console.mode.json) {
    refuseUsage('--json and a document cannot both go to stdout', 'name a file with -o');
  }
  const content = await useService(context, async ({ processes }) => {
    if (attachment === undefined) return processes.document(key);
    const { key: whole, attachments, purgedAtMs } = await processes.show({ key });
    const named =
      attachments.find(({ fileName }) => fileName === attachment) ??
      attachments.find((each) => each.key === attachment);
    // What was purged says so itself.
    if (named === undefined && purgedAtMs === undefined) {
      const message = `process ${whole} has no file ${shownName(attachment)}`;
      const hint = commandLine(`process show ${whole}`, globals);
      throw new InnsigliError('process.file.not_found', message, {
        hint: `${hint} lists its files`,
      });
    }
    return processes.attachment(key, named?.key ?? attachment);
  });
  const { writeNewFile } = await import('../../files/index.ts');
  writeNewFile(output, content, { force: force === true }, io);
  if (output === '-') return 0;
  if (console.mode.json) {
    console.document({ v: 1, command: 'process document', output, lengthBytes: content.length });
    return 0;
  }
  console.note(`wrote ${byteCount(content.length)} to ${shownName(output)}`);
  return 0;
}
