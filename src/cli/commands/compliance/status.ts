import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';

interface ParsedOptions {
  readonly business?: boolean;
  readonly ssn?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly name?: string;
}

/** Adds `compliance status` to the command tree. */
export function defineComplianceStatus(group: Command, start: Start): void {
  const command = group
    .command('status')
    .summary('print how somebody stands')
    .description('Print how a person or business stands.')
    .option('--business', 'a business, not a person')
    .option('--ssn <number>', 'national number')
    .option('--email <address>', 'e-mail address, together with --phone')
    .option('--phone <number>', 'phone number, together with --email')
    .option('--name <name>', 'name of the business');
  documentCommand(command, {
    examples: [
      ['innsigli compliance status --ssn 0101901239', 'exit code 0 when compliant'],
      ["innsigli compliance status --business --name 'Dæmi ehf.' --json", 'with requirements'],
    ],
    exits: [
      [0, 'compliant'],
      [2, 'nobody is named'],
      [5, 'never recorded'],
      [7, 'not compliant'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runComplianceStatus(options, context)),
  );
}

/** Prints the status and what stands in the way. */
export async function runComplianceStatus(
  { business, ...query }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const kind = business === true ? 'business' : 'person';
  const status = await useService(context, ({ compliance }) => compliance.status(kind, query));
  const { isCompliant, messages } = status;
  if (console.mode.json) console.document({ v: 1, command: 'compliance status', ...status });
  else {
    console.result(isCompliant ? 'compliant' : 'not compliant');
    for (const message of messages) console.result(`  ${printable(message)}`);
  }
  return isCompliant ? 0 : 7;
}
