import type { Command } from 'commander';
import type { FlagSettings } from '../../wire/config-layer.ts';
import type { Diagnosis } from '../../wire/toolkit.types.ts';
import { documentCommand } from '../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../context.ts';
import {
  addKeyOptions,
  addTimestampOptions,
  addTrustOption,
  levelOption,
  type SettingOptions,
  settingsFrom,
} from '../options.ts';
import type { Style } from '../output/index.ts';
import { counted, printable } from '../output/index.ts';

/** Adds `doctor` to the command tree. */
export function defineDoctor(program: Command, start: Start): void {
  const command = program
    .command('doctor')
    .summary('check that sealing and the service would work')
    .description('Check before you seal that key, certificate and authorities reach the level.');
  addTrustOption(addTimestampOptions(addKeyOptions(command.addOption(levelOption()))));
  documentCommand(command, {
    text: [
      'Looks at the data directory, the key and who may read its file, the certificate, its path ' +
        'to a trust anchor, and asks the time-stamp authority and, for B-LT and B-LTA, for ' +
        'revocation data. What the level does not need is left out.',
      'Where there is a signing service it also opens the database, looks at the settings of ' +
        'text messages, signing pages and e-ID, and tries the mail server: connection, TLS with ' +
        'its certificate, and login. No mail is sent; with --offline nobody is asked.',
    ],
    examples: [
      ['innsigli doctor', 'check the configuration that seal would use'],
      ['innsigli doctor --p12 seal.p12 --password-file pw', 'check a key before you use it'],
    ],
    exits: [
      [0, 'nothing failed; there may be warnings'],
      [10, 'a check failed'],
    ],
  });
  command.action((options: SettingOptions, self: Command) =>
    start(self, (context) => runDoctor({ settings: settingsFrom(options) }, context)),
  );
}

/** Runs every check and prints one line for each. */
export async function runDoctor(
  options: { readonly settings: FlagSettings },
  context: CommandContext,
): Promise<ExitCode> {
  const { talk } = context;
  const { config } = await loadConfig(context, options.settings);
  const toolkit = await openToolkit(context, config);
  const checks = await talk.busy('Checking', () => toolkit.diagnose());
  const failed = checks.filter((check) => check.status === 'failed').length;
  const exitCode: ExitCode = failed > 0 ? 10 : 0;
  if (talk.manner.json) {
    const { level } = config;
    talk.document({ v: 1, command: 'doctor', level, ok: failed === 0, checks });
    return exitCode;
  }
  const style = await talk.style('stdout');
  const shown = talk.manner.quiet ? checks.filter((check) => check.status !== 'ok') : checks;
  for (const check of shown) talk.result(checkLines(check, style));
  if (!talk.manner.quiet) {
    const warnings = checks.filter((check) => check.status === 'warning').length;
    const found = [
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ];
    const count = `${counted(checks.length, 'check')} for ${config.level}`;
    talk.result(`${count}: ${found.join(', ') || 'all fine'}`);
  }
  return exitCode;
}

function checkLines(check: Diagnosis, style: Style): readonly string[] {
  const signs = { ok: style.green('✓'), warning: style.yellow('!'), failed: style.red('✗') };
  const lines = [`${signs[check.status]} ${style.bold(check.name)}: ${printable(check.message)}`];
  if (check.hint !== undefined) lines.push(`    ${style.dim('hint:')} ${printable(check.hint)}`);
  return lines;
}
