import { errorKinds } from '../../base/errors.ts';
import { otherVariables, type Setting, settings } from '../../wire/config/settings.table.ts';
import { layTable, wrapText } from '../output/index.ts';

/** Exit codes with their meanings, the same for every command. */
export const exitCodes = [
  [0, 'done; verify: every signature is valid'],
  [1, 'unexpected failure, or a file cannot be read or written'],
  [2, 'invalid usage; nothing was done'],
  [3, 'some of several documents failed'],
  [4, 'credentials are required or were rejected'],
  [5, 'not found'],
  [6, 'the state of the document does not permit it'],
  [7, 'the answer is no: document or signature is not valid, or coverage is incomplete'],
  [8, 'the network is required, or a remote party failed'],
  [9, 'pending or indeterminate'],
  [10, 'configuration, key or certificate problem'],
  [130, 'interrupted'],
] as const;

/** A page of `innsigli help`. */
export interface Topic {
  readonly summary: string;
  /** Lines of at most `width` columns, as far as words and examples allow. */
  lines(width: number): readonly string[];
}

/** The pages of `innsigli help` that are not commands. */
export const topics: Readonly<Record<string, Topic>> = {
  configuration: { summary: 'configuration files and precedence', lines: configurationLines },
  environment: { summary: 'environment variables', lines: environmentLines },
  'exit-codes': { summary: 'exit codes and error codes', lines: exitCodeLines },
  output: { summary: 'streams, JSON, colour', lines: outputLines },
};

function configurationLines(width: number): readonly string[] {
  const inFiles = (settings as readonly Setting[]).filter((setting) => !setting.fileless);
  const paragraph = (text: string) => ['', ...wrapText(text, width)];
  return [
    ...wrapText(
      'A value comes from the first of: flag, environment variable, project file, user file, ' +
        'default.',
      width,
    ),
    '',
    ...layTable(places, width),
    '',
    'Settings of a file:',
    ...layTable(
      inFiles.map((setting) => [setting.path, summaryOf(setting)]),
      width,
    ),
    '',
    'Example:',
    '  {',
    '    "level": "B-LTA",',
    '    "key": { "p12": "seal.p12",',
    '      "passwordFile": "~/.secrets/seal" },',
    '    "tsa": ["https://tsa.example",',
    '      { "url": "https://tsa2.example",',
    '        "user": "acme", "passwordFile": "tsa.password" }],',
    '    "trust": ["roots/"]',
    '  }',
    ...paragraph(
      'Relative paths are resolved against the folder of the file. Unknown keys are errors. ' +
        'Secrets are stored in separate files.',
    ),
    ...paragraph(
      'A project file found by the search may have come with the documents. The search ends at ' +
        'your home folder, the root of the file system or a folder of another user, and the ' +
        'file is read only if it is yours. Its keys, password files, credentials, trust, ' +
        'dataDir, proxy and other destinations of data are ignored, and a key that it names ' +
        'is rejected; tsa addresses and a lower level apply, with a warning. If --config or ' +
        'INNSIGLI_CONFIG names the file, all of it applies.',
    ),
    ...paragraph(
      'A password is used only with a key or authority of the same layer or a lower one: a key ' +
        'selected by a flag is never opened with a password that a file names for a different key.',
    ),
    ...paragraph('innsigli config explain prints every value with its origin.'),
  ];
}

const places = [
  ['project file', 'innsigli.config.json in this folder or one above it (or --config FILE)'],
  ['user file', '$XDG_CONFIG_HOME/innsigli/config.json (~/.config/innsigli/config.json)'],
  ['data', '--data-dir, INNSIGLI_HOME, dataDir, $XDG_DATA_HOME/innsigli'],
] as const;

function environmentLines(width: number): readonly string[] {
  const own = settings.map((setting) => [setting.variable, summaryOf(setting)] as const);
  return [
    ...layTable([...own, ...Object.entries(otherVariables)], width),
    '',
    ...wrapText(
      'An empty variable counts as unset. Lists of paths are split like PATH, lists of addresses ' +
        'at spaces. There are no variables for passwords: use a file.',
      width,
    ),
  ];
}

function exitCodeLines(width: number): readonly string[] {
  const codes = Object.entries(errorKinds).sort(([a], [b]) => (a < b ? -1 : 1));
  const column = (code: number) => String(code).padStart(3);
  return [
    ...layTable(
      exitCodes.map(([code, meaning]) => [column(code), meaning]),
      width,
    ),
    '',
    'Error codes, as in error[CODE], each with its exit code:',
    ...layTable(
      codes.map(([code, kind]) => [`${column(kind.exitCode)}  ${code}`, kind.summary]),
      width,
    ),
  ];
}

function outputLines(width: number): readonly string[] {
  const paragraphs = [
    'Results go to stdout, everything else to stderr. seal and archive print one line on stdout: ' +
      'the path of the result. --quiet prints only results, warnings and errors.',
    '--json prints one JSON document on stdout, with "v":1; all warnings are in "warnings". On ' +
      'stderr it prints JSON objects, one per line:',
    'Codes are stable; messages may change.',
    'Colour is used on terminals: NO_COLOR, TERM=dumb or --no-color disable it, FORCE_COLOR ' +
      'forces it. Prompts (for a password) appear only on a terminal and never with --no-input ' +
      'or --json.',
  ].map((text) => wrapText(text, width));
  const [results = [], json = [], codes = [], manners = []] = paragraphs;
  return [
    ...results,
    '',
    ...json,
    '  {"v":1,"warning":{"code","message"}}',
    '  {"v":1,"error":{"code","message","hint","details"}}',
    '  {"v":1,"error":{…,"findings":[{"name","message","hint"}]}}  of several faults',
    ...codes,
    '',
    ...manners,
  ];
}

function summaryOf(setting: Setting): string {
  return setting.choices === undefined
    ? setting.summary
    : `${setting.summary}: ${setting.choices.join(', ')}`;
}
