import type { ExplainedSetting, Origin, TsaConfig } from '../../../wire/config/config.ts';
import { command } from '../../command/index.ts';
import { loadConfig } from '../../context.ts';
import {
  digestOption,
  documentOptions,
  keyOptions,
  levelOption,
  settingsFrom,
  timestampOptions,
  trustOptions,
} from '../../options/index.ts';
import { printable } from '../../output/index.ts';

const configExplain = command('config explain', {
  summary: 'print every setting with its origin',
  description: 'Print every setting, its value and the origin of the value.',
  options: {
    ...levelOption,
    ...digestOption,
    ...documentOptions,
    ...keyOptions,
    ...timestampOptions,
    ...trustOptions,
  },
  help: [
    'Flags take precedence over environment, project file, user file and defaults. Secrets are ' +
      'shown as references only. Pass flags of seal to see their effect.',
  ],
  examples: {
    'innsigli config explain': 'the settings in this folder',
    'INNSIGLI_LEVEL=b-t innsigli config explain --json': 'for programs',
  },
  exits: { 0: 'printed', 10: 'a configuration file or variable is invalid' },
  run: async (options, context) => {
    const { files, settings } = await loadConfig(context, settingsFrom(options));
    return { files, settings };
  },
  text: async ({ settings }, { console }) => {
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
  },
});

/** `config` with its command. */
export const config = command('config', {
  description: 'Show the configuration.',
  commands: [configExplain],
});

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
