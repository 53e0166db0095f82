import { relative } from 'node:path';
import type { Command } from 'commander';
import type { FirstCompany } from '../../../wire/toolkit.types.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
} from '../../context.ts';
import { printable, shellWord } from '../../output/index.ts';
import { readUser } from '../option-values.ts';

/** Adds `init` to the command tree. */
export function defineInit(program: Command, start: Start): void {
  const command = program
    .command('init')
    .summary('make the development trust and the first company')
    .description(
      'Make the development trust (root, seal keys, time-stamp authority: test only), and the ' +
        'first company with its keys.',
    )
    .option('--name <name>', 'name of the company (default: Company)')
    .option('--user <e-mail>', 'its first user');
  documentCommand(command, {
    text: [
      'Sealing makes the development trust by itself on first use, and says where; documents ' +
        'under signature need this command first. Running it again changes nothing. ' +
        'Nobody but you trusts these certificates: they are for tests.',
      'The API key and the webhook signature key of the company are printed once and are not ' +
        'kept in a readable form.',
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
  command.action((options: Partial<FirstCompany>, self: Command) =>
    start(self, (context) => runInit(options, context)),
  );
}

/** Makes what is missing of the development trust and the company, and lists it. */
export async function runInit(
  options: Partial<FirstCompany>,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { name = 'Company' } = options;
  const isNamed = options.name !== undefined || options.user !== undefined;
  const user = readUser(options.user);
  if (name.trim() === '') refuseUsage('--name: expected a name, found none');
  const { config } = await loadConfig(context, {});
  const toolkit = await openToolkit(context, config);
  const made = await console.busy('Making keys', () =>
    toolkit.initialise({ name, ...(user === undefined ? {} : { user }) }),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'init', ...made });
    return 0;
  }
  const { bold, dim, green } = await console.style('stderr');
  const folder = bold(printable(made.dataDir));
  console.note(
    made.created.length === 0
      ? `${green('✓')} The development trust in ${folder} is complete; nothing was changed.`
      : `${green('✓')} Made the development trust in ${folder} (TEST ONLY):`,
  );
  for (const file of made.created) {
    console.note(`  ${dim('+')} ${printable(relative(made.dataDir, file) || file)}`);
  }
  const { sealLine } = await import('../../report/index.ts');
  const root = shellWord(made.rootCertificate);
  console.note([
    'Look at its root, which another validator would have to trust:',
    `  openssl x509 -in ${root} -noout -subject -enddate`,
    `Next: ${sealLine(context.globals, 'agreement.pdf')}`,
  ]);
  console.result(
    io.stdout.isTerminal && !console.mode.quiet
      ? `root: ${made.rootCertificate}`
      : made.rootCertificate,
  );
  if (made.company !== undefined) {
    const { key, apiKey, webhookSignatureKey } = made.company;
    console.note(`${green('✓')} Made the company ${bold(printable(name))}; its keys, this once:`);
    console.result([
      `company: ${key}`,
      `api-key: ${apiKey}`,
      `webhook-signature-key: ${webhookSignatureKey}`,
    ]);
  } else if (isNamed) {
    console.note('There is a company already: --name and --user changed nothing.');
    console.note('innsigli company create makes another one, innsigli company list shows them.');
  }
  return 0;
}
