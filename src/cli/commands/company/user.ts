import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { namingOptions } from '../option-values.ts';

interface UserOptions {
  readonly name: string;
}

/** Adds `company user` to the command tree. */
export function defineCompanyUser(company: Command, start: Start): void {
  const command = company
    .command('user')
    .summary('say what a user of a company is called')
    .description('Say what a user of a company is called, for mails and evidence.')
    .argument('<e-mail>', 'address of the user, as processes name it')
    .requiredOption('--name <name>', 'first name and family name');
  documentCommand(command, {
    text: [
      'Mails of processes that the user has sent come from that person of the company, and their ' +
        'evidence names the sender. Without a name the address is there.',
    ],
    examples: [
      ['innsigli company user eva@example.is --name "Eva Jónsdóttir"', 'the sender has a name'],
    ],
    exits: [
      [0, 'kept'],
      [2, 'the address or the name is wrong'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  command.action((email: string, options: UserOptions, self: Command) =>
    start(self, (context) => runCompanyUser(email, options, context)),
  );
}

/** Keeps the name of a user. */
export async function runCompanyUser(
  address: string,
  options: UserOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { email, name } = await useService(context, (service) =>
    namingOptions({ email: 'e-mail', name: '--name' }, () =>
      service.nameUser({ email: address, name: options.name }),
    ),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'company user', user: { email, name } });
    return 0;
  }
  console.note(`${printable(email)} is ${printable(name)}`);
  return 0;
}
