import { describe, expect, test } from 'vitest';
import { errorKinds } from '../../src/base/errors.ts';
import { leavesOfProgram } from './support/command-files.ts';
import { openEidCli } from './support/eid-cli.ts';
import { type CliRun, openFakeCli } from './support/fake-cli.ts';

/** Texts of the parser that must never reach a user. */
const foreignWords = /missing required|not specified|too many|argument missing|cannot be used with/;

/** Commands that wait for requests or for a person. */
const waiting: ReadonlySet<string> = new Set(['serve', 'worker', 'tsa serve', 'webhook listen']);

const leaves = await leavesOfProgram();

/** The mandatory options of a command, each with some value. */
function mandatory({ options }: (typeof leaves)[number]['command']): readonly string[] {
  return options.filter((each) => each.mandatory).flatMap(({ long }) => [long ?? '', 'x']);
}

/** Faults of a rejection, which must be one usage error in the project's own words. */
function faultsOfRefusal({ exitCode, stdout, stderr }: CliRun, expected: RegExp): string[] {
  const errors = [...stderr.matchAll(/error\[([^\]]+)\]: (.*)/g)];
  const [, code, message = ''] = errors[0] ?? [];
  return [
    ...(exitCode === 2 ? [] : [`exit code ${exitCode}`]),
    ...(errors.length === 1 && code === 'usage.invalid' ? [] : [`errors: ${stderr}`]),
    ...(expected.test(message) && !foreignWords.test(message) ? [] : [`message: ${message}`]),
    ...(/^hint: ./m.test(stderr) ? [] : ['no hint']),
    ...(stdout === '' ? [] : ['output']),
  ];
}

describe('every command rejects invalid usage with the same messages', () => {
  test.each<[string, RegExp, (leaf: (typeof leaves)[number]) => readonly string[] | undefined]>([
    [
      'too many arguments',
      /^expected (?:no argument|at most (?:one argument|\d arguments)), found \d$/,
      ({ command }) =>
        command.registeredArguments.some((each) => each.variadic)
          ? undefined
          : [...mandatory(command), ...'abcde'],
    ],
    [
      'a missing argument',
      /^expected (?:<.+>|--.+ <.+>), found none$/,
      ({ command }) => (command.registeredArguments.some((each) => each.required) ? [] : undefined),
    ],
    [
      'a missing option',
      /^expected --.+ <.+>, found none$/,
      ({ command }) => {
        const isAsked = command.options.some((each) => each.mandatory);
        return isAsked ? command.registeredArguments.map(() => 'x') : undefined;
      },
    ],
    [
      'an unknown option',
      /^unknown option '--nonsense'$/,
      ({ command }) => [...mandatory(command), '--nonsense'],
    ],
    [
      'an option without a value',
      /^--[a-z0-9-]+: expected <.+>, found none$/,
      ({ command }) => {
        const option = command.options.findLast((each) => each.required);
        return option?.long == null ? undefined : [option.long];
      },
    ],
    [
      'mutually exclusive options',
      /^expected --quiet or --verbose, found both$/,
      ({ command }) => [
        ...command.registeredArguments.map(() => 'x'),
        ...mandatory(command),
        ...['--quiet', '--verbose'],
      ],
    ],
  ])('a command line with %s', async (_, expected, argsOf) => {
    const cli = openFakeCli();
    const faults: string[] = [];
    let count = 0;
    for (const leaf of leaves) {
      const args = argsOf(leaf);
      if (args === undefined) continue;
      count += 1;
      const own = faultsOfRefusal(await cli.run([...leaf.name.split(' '), ...args]), expected);
      if (own.length > 0) faults.push(`${leaf.name}: ${own.join('; ')}`);
    }
    expect(count).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });
});

describe('every command without arguments', () => {
  test('exits with a usage or configuration error, or succeeds', async () => {
    const cli = await openEidCli();
    const faults: string[] = [];
    let count = 0;
    for (const { name } of leaves) {
      if (waiting.has(name)) continue;
      count += 1;
      const { exitCode, stderr } = await cli.run(name.split(' '));
      const codes = [...stderr.matchAll(/error\[([^\]]+)\]/g)].map(([, code = '']) => code);
      const [code] = codes;
      const isDone = code === undefined && exitCode in doneWith;
      const isUsage =
        code !== undefined &&
        /^(?:usage|validation|config)\.|^screening\.source\.required$/.test(code);
      const kinds: Readonly<Record<string, { exitCode: number }>> = errorKinds;
      if (isDone || (isUsage && codes.length === 1 && kinds[code]?.exitCode === exitCode)) continue;
      faults.push(`${name}: ${exitCode} ${stderr}`);
    }
    expect(count).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  test('exits the same when stdout is closed, except for a truncated document', async () => {
    const cli = await openEidCli();
    const faults: string[] = [];
    for (const { name } of leaves) {
      if (waiting.has(name) || changing.has(name)) continue;
      const args = name.split(' ');
      const read = await cli.run(args);
      const unread = await cli.run(args, { brokenPipe: true });
      const expected = cut.has(name) ? 1 : read.exitCode;
      const isLoud = /internal\.unexpected/.test(unread.stderr);
      if (unread.exitCode !== expected || isLoud) {
        faults.push(`${name}: ${unread.exitCode} for ${expected} ${unread.stderr}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

/** Exit codes without an error, and their meaning. */
const doneWith = { 0: 'done', 4: 'no operator is logged in', 9: 'open', 10: 'a check failed' };

/** Commands that create something new in each run. */
const changing: ReadonlySet<string> = new Set(['company key create', 'init', 'activity anchor']);

/** Commands that write a document to stdout. */
const cut: ReadonlySet<string> = new Set(['activity export']);
