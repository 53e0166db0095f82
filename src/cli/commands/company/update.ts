import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { readSetting } from '../flow/options.ts';
import { namingOptions } from '../option-values.ts';

interface UpdateOptions {
  readonly set?: readonly string[];
}

/** Adds `company update` to the command tree. */
export function defineCompanyUpdate(company: Command, start: Start): void {
  const command = company
    .command('update')
    .summary('change settings of a company')
    .description('Change what holds for flows of a company that do not say it themselves.')
    .option('--set <name=value>', 'a setting; several times; null is its default', collect);
  documentCommand(command, {
    text: [
      'signeeIdentity says who may log in as a signee of whom the sender gave no number: ' +
        'nobody (number), one of that name (name, the default), or anybody. It holds for ' +
        'processes that are made from now on; the setting of a flow goes before.',
      'timeZone is the zone whose clocks evidence and mails go by, such as Europe/Prague (UTC ' +
        'without it), for the same processes; that of a flow goes before.',
    ],
    examples: [
      ['innsigli company update --set signeeIdentity=number', 'logins by number only'],
      ['innsigli company update --set timeZone=Europe/Prague', 'evidence shows its clocks'],
    ],
    exits: [
      [0, 'changed'],
      [2, 'a setting is unknown or wrong'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  command.action((options: UpdateOptions, self: Command) =>
    start(self, (context) => runCompanyUpdate(options, context)),
  );
}

/** Changes settings and prints those that are set. */
export async function runCompanyUpdate(
  { set = [] }: UpdateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  if (set.length === 0) refuseUsage('--set: expected a setting, found none');
  const change = Object.fromEntries(set.map(readSetting));
  const names = Object.keys(change);
  const optionNames = Object.fromEntries(names.map((name) => [name, `--set ${name}`]));
  const company = await useService(context, (service) =>
    namingOptions(optionNames, () => service.change(change)),
  );
  const { signeeIdentity = null, timeZone = null } = company;
  const settings = { signeeIdentity, timeZone };
  if (console.mode.json) {
    console.document({ v: 1, command: 'company update', company: { key: company.key, settings } });
    return 0;
  }
  console.result(
    Object.entries(settings).map(([name, value]) => printable(`${name}: ${value ?? 'default'}`)),
  );
  return 0;
}
