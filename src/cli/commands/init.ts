import { relative } from 'node:path';
import type { Command } from 'commander';
import { documentCommand } from '../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../context.ts';
import { printable, shellWord } from '../output/index.ts';

/** Adds `init` to the command tree. */
export function defineInit(program: Command, start: Start): void {
  const command = program
    .command('init')
    .summary('make the development trust')
    .description('Make the development trust: root, seal keys, time-stamp authority. Test only.');
  documentCommand(command, {
    text: [
      'The other commands do this by themselves on first use. Running it again changes nothing. ' +
        'Nobody but you trusts these certificates: they are for tests.',
    ],
    examples: [
      ['innsigli init', 'in the data directory'],
      ['innsigli init --data-dir ./trust', 'in a folder of your choice'],
    ],
    exits: [
      [0, 'the development trust is there'],
      [10, 'the data directory cannot be used'],
    ],
  });
  command.action((_options: object, self: Command) => start(self, runInit));
}

/** Makes what is missing of the development trust and lists it. */
export async function runInit(context: CommandContext): Promise<ExitCode> {
  const { talk, io } = context;
  const { config } = await loadConfig(context, {});
  const toolkit = await openToolkit(context, config);
  const made = await talk.busy('Making keys', () => toolkit.initialise());
  if (talk.manner.json) {
    talk.document({ v: 1, command: 'init', ...made });
    return 0;
  }
  const { bold, dim, green } = await talk.style('stderr');
  const folder = bold(printable(made.dataDir));
  talk.note(
    made.created.length === 0
      ? `${green('✓')} The development trust in ${folder} is complete; nothing was changed.`
      : `${green('✓')} Made the development trust in ${folder} (TEST ONLY):`,
  );
  for (const file of made.created) {
    talk.note(`  ${dim('+')} ${printable(relative(made.dataDir, file) || file)}`);
  }
  const { sealLine } = await import('../report/index.ts');
  const root = shellWord(made.rootCertificate);
  talk.note([
    'Look at its root, which another validator would have to trust:',
    `  openssl x509 -in ${root} -noout -subject -enddate`,
    `Next: ${sealLine(context.globals, 'agreement.pdf')}`,
  ]);
  talk.result(
    io.stdout.isTerminal && !talk.manner.quiet
      ? `root: ${made.rootCertificate}`
      : made.rootCertificate,
  );
  return 0;
}
