import type { SigningProcess } from '../../../domain/process/index.ts';
import { byUser, command, confirm, endTime } from '../../command/index.ts';
import type { CommandContext } from '../../context.ts';
import { processDocument, processLines } from '../../process-report/index.ts';

/** Properties shared by these commands; `done` is their message. */
function change(done: string) {
  return {
    args: { '<process>': 'key of the process' },
    exits: {
      0: 'done, or already done before',
      2: 'an option is invalid',
      5: 'no such process',
      6: 'the state of the process does not permit it',
    },
    names: () => ({ by: '--user' }),
    document: (process: SigningProcess) => ({ process: processDocument(process) }),
    text: async (process: SigningProcess, { console }: CommandContext) => {
      const { green } = await console.style('stderr');
      console.note(`${green('✓')} ${done}`);
      console.result(processLines(process, await console.style('stdout')));
    },
  } as const;
}

const by = { '--user <e-mail>': byUser } as const;
const reason = { '--reason <text>': 'reason, for the log' } as const;
const yes = { '-y, --yes': 'do not ask for confirmation' } as const;

const cancel = command('process cancel', {
  summary: 'cancel a process',
  description: 'Cancel a process. A signature in progress is rejected.',
  options: { ...by, ...reason, ...yes },
  examples: { 'innsigli process cancel sp12… --reason "wrong annex" --yes': 'cancel a process' },
  check: (given, context) =>
    confirm(given.yes, 'Cancel the process permanently? It can no longer be signed.', context),
  call: ({ processes }, { process: key, user, reason: why }, { operator }) =>
    processes.cancel({ key, by: user ?? operator, reason: why }),
  ...change('cancelled'),
});

const block = command('process block', {
  summary: 'suspend a process',
  description: 'Suspend a process: it cannot be signed until it is unblocked.',
  options: { ...by, ...reason },
  examples: { 'innsigli process block sp12… --reason "in dispute"': 'suspend a process' },
  call: ({ processes }, { process: key, user, reason: why }, { operator }) =>
    processes.block({ key, by: user ?? operator, reason: why }),
  ...change('blocked'),
});

const unblock = command('process unblock', {
  summary: 'resume a suspended process',
  description: 'Resume a suspended process; an overdue one expires.',
  options: by,
  examples: { 'innsigli process unblock sp12…': 'resume a suspended process' },
  call: ({ processes }, { process: key, user }, { operator }) =>
    processes.unblock({ key, by: user ?? operator }),
  ...change('unblocked'),
});

const extend = command('process extend', {
  summary: 'give signees more time',
  description: 'Set a new deadline: a day, until midnight UTC, or a number of days from now.',
  options: {
    ...by,
    '--until <time>': { text: '2027-01-31, 2027-01-31T12:00Z or 7d', ...endTime, required: true },
  },
  examples: { 'innsigli process extend sp12… --until 2027-01-31': 'give signees more time' },
  call: ({ processes }, { process: key, user, until: expiresAtMs }, { operator }) =>
    processes.extend({ key, expiresAtMs, by: user ?? operator }),
  ...change('extended'),
});

const finalize = command('process finalize', {
  summary: 'retry the final seal',
  description: 'Retry the final seal of a document signed by all; innsigli worker performs it.',
  options: by,
  examples: {
    'innsigli process finalize sp12… && innsigli worker --once': 'retry the final seal',
  },
  call: ({ processes }, { process: key, user }, { operator }) =>
    processes.retryFinalize({ key, by: user ?? operator }),
  ...change('queued for the worker'),
});

const purge = command('process purge', {
  summary: 'remove contents and personal data',
  description:
    'Remove contents and personal data of an ended process; the chain of its log stays intact.',
  options: { ...by, ...yes },
  examples: { 'innsigli process purge sp12… --yes': 'remove contents and personal data' },
  check: (given, context) =>
    confirm(given.yes, 'Remove the document and all personal data permanently?', context),
  call: ({ processes }, { process: key, user }, { operator }) =>
    processes.purge({ key, by: user ?? operator }),
  ...change('purged; the worker removes files of the last hour once the hour has passed'),
});

/** `process cancel`, `block`, `unblock`, `extend`, `finalize` and `purge`. */
export const processChanges = [cancel, block, unblock, extend, finalize, purge];
