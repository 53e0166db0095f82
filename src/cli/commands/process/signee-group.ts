import type { Command } from 'commander';
import type { ProcessService } from '../../../app/process/index.ts';
import type { SigneeChange, SigningProcess } from '../../../domain/process/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { nextStep, processDocument, processLines } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { addUserOption, namingOptions, readUser } from '../option-values.ts';
import { namingMembers, readSignee, signeeHelp } from './signee-options.ts';

interface UserOption {
  readonly user?: string;
}

interface UpdateOptions extends UserOption {
  readonly email?: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly reason?: string;
}

const closed = [6, 'the process is closed, or the signee has signed'] as const;

/** Adds `process signee add`, `update` and `invite`. */
export function defineSignee(process: Command, start: Start): void {
  const group = process.command('signee').summary('those who sign a document');
  group.description('Add signees, correct their addresses, invite them again.').helpCommand(false);
  defineAdd(group, start);
  defineUpdate(group, start);
  defineInvite(group, start);
}

function defineAdd(group: Command, start: Start): void {
  const command = group
    .command('add')
    .summary('add a signee to a process')
    .description('Add a signee, who signs last where signees sign in order.')
    .argument('<process>', 'key of the process')
    .argument('<signee>', 'NAME and members after commas');
  documentCommand(addUserOption(command), {
    text: [signeeHelp],
    examples: [
      ['innsigli process signee add sp12… "Eva,email=eva@example.is,type=ClickToSign"', 'one more'],
    ],
    exits: [
      [0, 'added'],
      [2, 'a value is missing or wrong'],
      [5, 'no such process'],
      [6, 'the process is closed, is part of a sequence, or has the person already'],
    ],
  });
  command.action((key: string, signee: string, options: UserOption, self: Command) =>
    start(self, (context) => runSigneeAdd(key, signee, options, context)),
  );
}

function defineUpdate(group: Command, start: Start): void {
  const command = group
    .command('update')
    .summary('correct the address of a signee')
    .description('Correct a signee. One who was invited is invited at the new mail address.')
    .argument('<process>', 'key of the process')
    .argument('<signee>', 'key of the signee')
    .option('--email <address>', 'mail address')
    .option('--address <text>', 'street and number')
    .option('--postal-code <text>', 'postal code')
    .option('--city <text>', 'city')
    .option('--reason <text>', 'reason in the visible signature');
  documentCommand(addUserOption(command), {
    text: ['Name, national number and phone say who may sign, so they stay as they are.'],
    examples: [['innsigli process signee update sp12… si34… --email eva@example.is', 'a typo']],
    exits: [
      [0, 'changed, or it was so already'],
      [2, 'a value is wrong'],
      [5, 'not found'],
      closed,
    ],
  });
  command.action((key: string, signee: string, options: UpdateOptions, self: Command) =>
    start(self, (context) => runSigneeUpdate(key, signee, options, context)),
  );
}

function defineInvite(group: Command, start: Start): void {
  const command = group
    .command('invite')
    .summary('send the invitation again')
    .description('Send the invitation of a signee again; the link in it is the same.')
    .argument('<process>', 'key of the process')
    .argument('<signee>', 'key of the signee');
  documentCommand(addUserOption(command), {
    examples: [['innsigli process signee invite sp12… si34…', 'the mail was lost']],
    exits: [
      [0, 'the invitation waits to leave'],
      [2, 'the signee has delivery None'],
      [5, 'no such process or signee'],
      [6, 'the process is closed, the signee has signed, or others sign first'],
    ],
  });
  command.action((key: string, signee: string, options: UserOption, self: Command) =>
    start(self, (context) => runSigneeInvite(key, signee, options, context)),
  );
}

/** Adds a signee and prints the process. */
export function runSigneeAdd(
  key: string,
  text: string,
  { user }: UserOption,
  context: CommandContext,
): Promise<ExitCode> {
  const signee = readSignee(text);
  const by = readUser(user) ?? 'System';
  return change('add', context, (processes) =>
    namingMembers(Number.POSITIVE_INFINITY, () => processes.addSignee({ key, signee, by })),
  );
}

/** Corrects a signee and prints the process. */
export function runSigneeUpdate(
  key: string,
  signee: string,
  { user, ...wish }: UpdateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { email, address, postalCode, city, reason } = wish;
  const given = Object.entries({ email, address, postalCode, city, reason }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) refuseUsage('expected something to change, such as --email');
  const by = readUser(user) ?? 'System';
  const to: SigneeChange = Object.fromEntries(given);
  return change('update', context, (processes) =>
    processes.updateSignee({ key, signeeKey: signee, change: to, by }),
  );
}

/** Puts the invitation of a signee into the queue once more and prints the process. */
export function runSigneeInvite(
  key: string,
  signee: string,
  { user }: UserOption,
  context: CommandContext,
): Promise<ExitCode> {
  const by = readUser(user) ?? 'System';
  return change('invite', context, (processes) => processes.invite({ key, signeeKey: signee, by }));
}

const optionNames = {
  'change.email': '--email',
  'change.address': '--address',
  'change.postalCode': '--postal-code',
  'change.city': '--city',
  'change.reason': '--reason',
} as const;

async function change(
  name: string,
  context: CommandContext,
  work: (processes: ProcessService) => Promise<SigningProcess>,
): Promise<ExitCode> {
  const { console } = context;
  const process = await useService(context, ({ processes }) =>
    namingOptions(optionNames, () => work(processes)),
  );
  if (console.mode.json) {
    const document = processDocument(process);
    console.document({ v: 1, command: `process signee ${name}`, process: document });
    return 0;
  }
  console.note(nextStep([process], context.globals));
  console.result(processLines(process, await console.style('stdout')));
  return 0;
}
