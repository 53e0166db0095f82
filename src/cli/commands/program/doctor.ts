import type { Diagnosis } from '../../../wire/toolkit.types.ts';
import { command } from '../../command/index.ts';
import { loadConfig, openToolkit } from '../../context.ts';
import {
  algorithmPolicyOption,
  keyOptions,
  levelOption,
  settingsFrom,
  timestampOptions,
  trustOption,
} from '../../options/index.ts';
import { counted, printable, type Style } from '../../output/index.ts';

/** Runs every check and prints one line for each. */
export const doctor = command('doctor', {
  description: 'Check, before sealing, that key, certificate and authorities support the level.',
  options: {
    '--production': 'check everything that serve --production requires',
    ...levelOption,
    ...keyOptions,
    ...timestampOptions,
    ...trustOption,
    ...algorithmPolicyOption,
  },
  help: [
    'Checks the data directory, the key and the permissions of its file, the certificate and its ' +
      'path to a trust anchor, the time-stamp authority and, for B-LT and B-LTA, the sources ' +
      'of revocation data. The check "proof" reports when certificates and ' +
      'algorithms expire: it warns 30 days ahead for certificates, 400 days for algorithms.',
    'If there is a signing service it also opens the database, checks the settings of ' +
      'text messages, signing pages and e-ID, and tries the mail server (connection, TLS with ' +
      'its certificate, and login) and the register of persons (with an unassigned number). ' +
      'No mail is sent; with --offline nothing is contacted. Providers of e-ID are checked ' +
      'by innsigli auth doctor.',
    'With --production it checks as serve --production and worker do when they start, even ' +
      'before a service exists; only the address to listen on is unknown here.',
    'Every check is listed. A check that the level or the data directory does not need, or that ' +
      'an earlier failure prevents, is skipped with a reason; its status in --json is skipped.',
  ],
  examples: {
    'innsigli doctor': 'check the configuration seal would use',
    'innsigli doctor --p12 seal.p12 --password-file pw': 'check a key before using it',
    'innsigli doctor --production': 'find out why the service would not start',
  },
  exits: { 0: 'nothing failed; there may be warnings', 10: 'a check failed' },
  run: async ({ production, ...options }, context) => {
    const settings = settingsFrom({ ...options, algorithmPolicy: options.policy });
    const flags = production ? { ...settings, production: 'true' } : settings;
    const { config } = await loadConfig(context, flags);
    const toolkit = await openToolkit(context, config);
    const checks = await context.console.busy('Checking', () =>
      toolkit.diagnose({ isService: production === true }),
    );
    return { level: config.level, ok: checks.every(({ status }) => status !== 'failed'), checks };
  },
  text: async ({ checks, level }, { console }) => {
    const style = await console.style('stdout');
    const isShown = ({ status }: Diagnosis) =>
      !console.mode.quiet || status === 'warning' || status === 'failed';
    for (const check of joinSkipped(checks).filter(isShown)) {
      console.result(checkLines(check, style));
    }
    if (!console.mode.quiet) console.result(summary(checks, level));
  },
  exit: ({ ok }) => (ok ? 0 : 10),
});

/** Joins adjacent checks that were skipped for the same reason. */
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
