import type { Command } from 'commander';
import { fullNameOf } from '../../../domain/screening/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { namingOptions, oneOf } from '../option-values.ts';

interface ParsedOptions {
  readonly flow: string;
  readonly country: string;
  readonly born?: string;
  readonly gender?: string;
  readonly rate: string;
  readonly failOnMatch?: boolean;
}

/** Adds `screen person` to the command tree. */
export function defineScreenPerson(group: Command, start: Start): void {
  const command = group
    .command('person')
    .summary('look for a person')
    .description('Look for a person on the embedded list and the imported ones.')
    .argument('<name>', 'whole name')
    .requiredOption('--flow <key>', 'flow of type PEP, Compliance or ExternalLookup')
    .requiredOption('--country <code>', 'two letters')
    .option('--born <date>', 'day of birth, YYYY-MM-DD')
    .option('--gender <gender>', 'Male or Female')
    .option('--rate <number>', 'how close a name must be: 1 to 100', '75')
    .option('--fail-on-match', 'exit code 7 when there is a match');
  documentCommand(command, {
    text: ['The embedded list is made up: it is for trying things out, and finds nobody real.'],
    examples: [
      ["innsigli screen person 'Viktor Drakmenov' --flow f1… --country RU", 'a made-up person'],
    ],
    exits: [
      [0, 'looked, be there a match or none'],
      [2, 'a value is missing or wrong'],
      [7, 'there is a match, with --fail-on-match'],
    ],
  });
  command.action((name: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runScreenPerson(name, options, context)),
  );
}

const optionNames = {
  originalName: 'the name',
  flowKey: '--flow',
  countryCode: '--country',
  dateOfBirth: '--born',
  gender: '--gender',
  matchRate: '--rate',
};

/** Prints one line for each match, closest first. */
export async function runScreenPerson(
  originalName: string,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { flow: flowKey, country: countryCode, born: dateOfBirth, rate, failOnMatch } = options;
  if (!/^\d{1,3}(\.\d+)?$/.test(rate)) refuseUsage(`--rate: expected a number, found "${rate}"`);
  const gender = oneOf(['Male', 'Female'] as const, options.gender, '--gender');
  const wish = { originalName, flowKey, countryCode, dateOfBirth, gender, matchRate: Number(rate) };
  const { matches } = await useService(context, ({ screening }) =>
    namingOptions(optionNames, () => screening.screen(wish)),
  );
  if (console.mode.json) {
    const shown = matches.map(({ entry, ...match }) => ({ ...match, ...entry }));
    console.document({ v: 1, command: 'screen person', matches: shown });
  } else {
    for (const { entry, rate: found, category } of matches) {
      const born = entry.dateOfBirth ?? '';
      console.result(
        `${String(found).padStart(3)}  ${category}  ${printable(fullNameOf(entry))}  ${born}`,
      );
    }
    if (matches.length === 0) console.note('no match');
  }
  return failOnMatch === true && matches.length > 0 ? 7 : 0;
}
