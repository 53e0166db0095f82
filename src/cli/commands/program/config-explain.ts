import type { Command } from 'commander';
import type { ExplainedSetting, Origin, TsaConfig } from '../../../wire/config/config.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, loadConfig, type Start } from '../../context.ts';
import {
  addDocumentOptions,
  addKeyOptions,
  addTimestampOptions,
  addTrustOptions,
  digestOption,
  levelOption,
  type SettingOptions,
  settingsFrom,
} from '../../options.ts';
import { printable } from '../../output/index.ts';

/** Adds `config explain` to the command tree. */
export function defineConfig(program: Command, start: Start): void {
  const group = program.command('config').summary('look at the configuration');
  group.description('Look at the configuration.').helpCommand(false);
  const command = group
    .command('explain')
    .summary('print every setting with its origin')
    .description('Print every setting, its value and where the value comes from.')
    .addOption(levelOption())
    .addOption(digestOption());
  addTrustOptions(addTimestampOptions(addKeyOptions(addDocumentOptions(command))));
  documentCommand(command, {
    text: [
      'Flags come before environment, project file, user file and defaults. Secrets are shown ' +
        'as references only. Flags of seal may be given to see what they would change.',
    ],
    examples: [
      ['innsigli config explain', 'what applies in this folder'],
      ['INNSIGLI_LEVEL=b-t innsigli config explain --json', 'for programs'],
    ],
    exits: [
      [0, 'printed'],
      [10, 'a configuration file or variable is wrong'],
    ],
  });
  command.action((options: SettingOptions, self: Command) =>
    start(self, (context) => runConfigExplain({ settings: settingsFrom(options) }, context)),
  );
}

/** Prints the effective settings. */
export async function runConfigExplain(
  options: { readonly settings: FlagSettings },
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const explained = await loadConfig(context, options.settings);
  const { settings, files } = explained;
  if (console.mode.json) {
    console.document({ v: 1, command: 'config explain', files, settings });
    return 0;
  }
  const style = await console.style('stdout');
  const rows = settings.map((setting) => ({
    path: setting.path,
    value: valueText(setting),
    origin: originText(setting.origin, setting.value === null),
  }));
  const pathWidth = Math.max(...rows.map((row) => row.path.length));
  const valueWidth = Math.min(44, Math.max(...rows.map((row) => row.value.length)));
  for (const { path, value, origin } of rows) {
    console.result(
      `${style.bold(path.padEnd(pathWidth))}  ${value.padEnd(valueWidth)}  ${style.dim(origin)}`,
    );
  }
  return 0;
}

function valueText({ value, path }: ExplainedSetting): string {
  if (value === null) return '-';
  if (path === 'tsa') return listText((value as readonly TsaConfig[]).map(authorityText));
  if (Array.isArray(value)) return listText(value.map(String));
  const text = path === 'tsaTimeoutMs' ? `${String(value)} ms` : String(value);
  return printable(path.endsWith('asswordFile') ? `file:${text}` : text);
}

function authorityText({ url, username, passwordFile }: TsaConfig): string {
  return username === undefined ? url : `${url} (${username}, file:${passwordFile ?? '-'})`;
}

function listText(items: readonly string[]): string {
  return items.length === 0 ? 'none' : printable(items.join(' '));
}

function originText(origin: Origin, isUnset: boolean): string {
  if (origin.kind === 'default') return isUnset ? 'not set' : 'default';
  return `${origin.kind} ${printable(origin.name)}`;
}
