import type { Command } from 'commander';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import type { Diagnosis } from '../../../wire/toolkit.types.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  type Start,
} from '../../context.ts';
import {
  addKeyOptions,
  addTimestampOptions,
  addTrustOption,
  levelOption,
  type SettingOptions,
  settingsFrom,
} from '../../options.ts';
import type { Style } from '../../output/index.ts';
import { counted, printable } from '../../output/index.ts';

interface DoctorOptions extends SettingOptions {
  readonly production?: boolean;
}

/** Adds `doctor` to the command tree. */
export function defineDoctor(program: Command, start: Start): void {
  const command = program
    .command('doctor')
    .summary('check that sealing and the service would work')
    .description('Check before you seal that key, certificate and authorities reach the level.');
  command.option('--production', 'look at all that serve --production refuses');
  addTrustOption(addTimestampOptions(addKeyOptions(command.addOption(levelOption()))));
  documentCommand(command, {
    text: [
      'Looks at the data directory, the key and who may read its file, the certificate, its path ' +
        'to a trust anchor, and asks the time-stamp authority and, for B-LT and B-LTA, for ' +
        'revocation data.',
      'Where there is a signing service it also opens the database, looks at the settings of ' +
        'text messages, signing pages and e-ID, and tries the mail server: connection, TLS with ' +
        'its certificate, and login. No mail is sent; with --offline nobody is asked.',
      'With --production it checks as serve --production and worker do when they start, be there ' +
        'a service already or not; only the address to listen on is not known here.',
      'Each check is listed. One that the level or the data directory does not need, or that an ' +
        'earlier failure bars, is skipped and says why; with --json its status is skipped.',
    ],
    examples: [
      ['innsigli doctor', 'check the configuration that seal would use'],
      ['innsigli doctor --p12 seal.p12 --password-file pw', 'check a key before you use it'],
      ['innsigli doctor --production', 'what would keep the service from starting'],
    ],
    exits: [
      [0, 'nothing failed; there may be warnings'],
      [10, 'a check failed'],
    ],
  });
  command.action(({ production, ...options }: DoctorOptions, self: Command) =>
    start(self, (context) => {
      const settings = settingsFrom(options);
      const flags = production === true ? { ...settings, production: 'true' } : settings;
      return runDoctor({ settings: flags, isService: production === true }, context);
    }),
  );
}

/** Runs every check and prints one line for each. */
export async function runDoctor(
  { settings, isService }: { readonly settings: FlagSettings; readonly isService: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { config } = await loadConfig(context, settings);
  const toolkit = await openToolkit(context, config);
  const checks = await console.busy('Checking', () => toolkit.diagnose({ isService }));
  const failed = checks.filter((check) => check.status === 'failed').length;
  const exitCode: ExitCode = failed > 0 ? 10 : 0;
  if (console.mode.json) {
    const { level } = config;
    console.document({ v: 1, command: 'doctor', level, ok: failed === 0, checks });
    return exitCode;
  }
  const style = await console.style('stdout');
  const isShown = ({ status }: Diagnosis) =>
    !console.mode.quiet || status === 'warning' || status === 'failed';
  for (const check of joinSkipped(checks).filter(isShown)) console.result(checkLines(check, style));
  if (!console.mode.quiet) console.result(summary(checks, config.level));
  return exitCode;
}

/** Neighbours that were skipped for one reason, under one name. */
function joinSkipped(checks: readonly Diagnosis[]): readonly Diagnosis[] {
  const joined: Diagnosis[] = [];
  for (const check of checks) {
    const before = joined.at(-1);
    if (before?.status === 'skipped' && before.message === check.message) {
      joined.splice(-1, 1, { ...before, name: `${before.name}, ${check.name}` });
    } else {
      joined.push(check);
    }
  }
  return joined;
}

function summary(checks: readonly Diagnosis[], level: string): string {
  const count = (wanted: Diagnosis['status']) =>
    checks.filter(({ status }) => status === wanted).length;
  const [failed, warnings, skipped] = [count('failed'), count('warning'), count('skipped')];
  const found = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const done = `${counted(checks.length - skipped, 'check')} for ${level}`;
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${done}${left}: ${found.join(', ') || 'all fine'}`;
}

function checkLines(check: Diagnosis, style: Style): readonly string[] {
  const { status, name, message } = check;
  const signs = {
    ok: style.green('✓'),
    warning: style.yellow('!'),
    failed: style.red('✗'),
    skipped: style.dim('–'),
  };
  const said = `${status === 'skipped' ? 'skipped: ' : ''}${printable(message)}`;
  const lines = [`${signs[status]} ${style.bold(name)}: ${said}`];
  if (check.hint !== undefined) lines.push(`    ${style.dim('hint:')} ${printable(check.hint)}`);
  return lines;
}
