import type { Command } from 'commander';
import type { RequirementRequest } from '../../../app/compliance/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { namingOptions } from '../option-values.ts';

interface ParsedOptions {
  readonly name: string;
  readonly business?: boolean;
  readonly ssn?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly pepFound?: boolean;
  readonly riskEvaluated?: boolean;
  readonly requirement: readonly string[];
  readonly flowKey?: string;
}

/** Adds `compliance record` to the command tree. */
export function defineComplianceRecord(group: Command, start: Start): void {
  const command = group
    .command('record')
    .summary('record what is known of somebody')
    .description('Record what is known of a person or business, in the place of what was known.')
    .requiredOption('--name <name>', 'name of the person or business')
    .option('--business', 'a business, not a person')
    .option('--ssn <number>', 'national number')
    .option('--email <address>', 'e-mail address')
    .option('--phone <number>', 'phone number')
    .option('--pep-found', 'the person is on a list of politically exposed persons')
    .option('--risk-evaluated', 'somebody has checked the risk')
    .option(
      '--requirement <type:answered:next>',
      'PEP, AML or MIFID, with two dates that may be empty; can be repeated',
      (each: string, before: readonly string[]) => [...before, each],
      [],
    )
    .option('--flow-key <key>', 'flow with which the requirements are answered');
  documentCommand(command, {
    text: [
      'A person is found by national number, by e-mail together with phone, or by one of them ' +
        'when nobody else has it; a business by number or name.',
    ],
    examples: [
      [
        "innsigli compliance record --name 'Jón Jónsson' --ssn 0101901239 --risk-evaluated " +
          '--requirement PEP:2026-01-31:2027-01-31',
        'compliant for a year',
      ],
    ],
    exits: [
      [0, 'recorded'],
      [2, 'a value is missing or wrong'],
    ],
  });
  command.action((options: ParsedOptions, self: Command) =>
    start(self, (context) => runComplianceRecord(options, context)),
  );
}

const optionNames = {
  name: '--name',
  ssn: '--ssn',
  email: '--email',
  phoneNumber: '--phone',
  requirements: '--requirement',
  flowKey: '--flow-key',
};

/** Writes the record. */
export async function runComplianceRecord(
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { name, ssn, email, phone: phoneNumber, pepFound, riskEvaluated } = options;
  const kind = options.business === true ? 'business' : 'person';
  const { flowKey } = options;
  if (flowKey !== undefined && options.requirement.length === 0) {
    refuseUsage('--flow-key: expected --requirement with it, found none');
  }
  const requirements = options.requirement.map((text) => ({ ...readRequirement(text), flowKey }));
  const request = { kind, name, ssn, email, phoneNumber, pepFound, riskEvaluated } as const;
  await useService(context, ({ compliance }) =>
    namingOptions(optionNames, () => compliance.record({ ...request, requirements })),
  );
  if (kind === 'person' && (ssn ?? email ?? phoneNumber) === undefined) {
    const wanted = 'nobody is found by a name alone: add --ssn, --email or --phone';
    await console.warn(wanted, 'compliance.unreachable');
  }
  if (console.mode.json) console.document({ v: 1, command: 'compliance record', kind });
  else console.note('recorded');
  return 0;
}

function readRequirement(text: string): RequirementRequest {
  const [type = '', answeredDate, nextDate, ...more] = text.split(':');
  if (more.length === 0) return { type, answeredDate, nextDate };
  return refuseUsage(`--requirement: expected TYPE:ANSWERED:NEXT, found "${text.slice(0, 60)}"`);
}
