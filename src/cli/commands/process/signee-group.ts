import { defined } from '../../../base/defined.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import { byUser, command } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { nextStep, processDocument, processLines } from '../../process-report/index.ts';
import { namingMembers, signeeHelp, signeeText } from './signee-options.ts';

const signeeKeys = { '<process>': 'key of the process', '<signee>': 'key of the signee' } as const;

const printed = {
  document: (process: SigningProcess) => ({ process: processDocument(process) }),
  text: async (process: SigningProcess, { console, globals }: CommandContext) => {
    console.note(nextStep([process], globals));
    console.result(processLines(process, await console.style('stdout')));
  },
};

const signeeAdd = command('process signee add', {
  summary: 'add a signee to a process',
  description: 'Add a signee, who signs last if signees sign in order.',
  args: {
    '<process>': 'key of the process',
    '<signee>': { text: 'NAME, then members after commas', ...signeeText },
  },
  options: { '--user <e-mail>': byUser },
  help: [signeeHelp],
  examples: {
    'innsigli process signee add sp12… "Eva,email=eva@example.is,type=ClickToSign"': 'one more',
  },
  exits: {
    0: 'added',
    2: 'a value is missing or invalid',
    5: 'no such process',
    6: 'the process is closed, is part of a sequence, or already has this person',
  },
  call: ({ processes }, { process: key, signee, user }, { operator }) =>
    namingMembers(Number.POSITIVE_INFINITY, () =>
      processes.addSignee({ key, signee, by: user ?? operator }),
    ),
  ...printed,
});

const signeeUpdate = command('process signee update', {
  summary: 'correct the contact data of a signee',
  description:
    'Correct the contact data of a signee. If the mail address changes, the invitation is sent ' +
    'again.',
  args: signeeKeys,
  options: {
    '--email <address>': 'mail address',
    '--address <text>': 'street and number',
    '--postal-code <text>': 'postal code',
    '--city <text>': 'city',
    '--reason <text>': 'reason shown in the visible signature',
    '--user <e-mail>': byUser,
  },
  help: ['Name, national number and phone identify the signee, so they cannot be changed.'],
  examples: { 'innsigli process signee update sp12… si34… --email eva@example.is': 'a typo' },
  exits: {
    0: 'changed, or already up to date',
    2: 'a value is invalid',
    5: 'not found',
    6: 'the process is closed, or the signee has signed',
  },
  check({ process: _, signee: __, user: ___, ...change }) {
    if (Object.keys(defined(change)).length === 0) {
      refuseUsage('expected something to change, such as --email');
    }
  },
  names: () => ({
    'change.email': '--email',
    'change.address': '--address',
    'change.postalCode': '--postal-code',
    'change.city': '--city',
    'change.reason': '--reason',
  }),
  call: ({ processes }, { process: key, signee: signeeKey, user, ...change }, { operator }) =>
    processes.updateSignee({ key, signeeKey, change: defined(change), by: user ?? operator }),
  ...printed,
});

const signeeInvite = command('process signee invite', {
  summary: 'resend the invitation',
  description: 'Resend the invitation of a signee; its link is the same.',
  args: signeeKeys,
  options: { '--user <e-mail>': byUser },
  examples: { 'innsigli process signee invite sp12… si34…': 'the mail was lost' },
  exits: {
    0: 'the invitation is queued',
    2: 'the signee has delivery None',
    5: 'no such process or signee',
    6: 'the process is closed, the signee has signed, or is not yet due',
  },
  call: ({ processes }, { process: key, signee: signeeKey, user }, { operator }) =>
    processes.invite({ key, signeeKey, by: user ?? operator }),
  ...printed,
});

/** `process signee` with its commands. */
export const processSignee = command('process signee', {
  summary: 'manage the signees of a document',
  description: 'Add signees, correct their contact data, resend invitations.',
  commands: [signeeAdd, signeeUpdate, signeeInvite],
});
