import type { ReminderTarget } from '../../../app/reminder/index.ts';
import { defined } from '../../../base/defined.ts';
import { deliveryTypes } from '../../../domain/process/index.ts';
import { command, oneOf } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { counted, printable } from '../../output/index.ts';

const user = {
  '--user <e-mail>': 'author for the log (default: the logged-in operator, else System)',
} as const;

/** The target of two keys on the command line: a signee of a process, or a person of a sequence. */
function targetOf(key: string, signee: string): ReminderTarget {
  return key.startsWith('pg')
    ? { sequenceKey: key, personKey: signee }
    : { processKey: key, signeeKey: signee };
}

const remindCancel = command('remind cancel', {
  summary: 'cancel the planned reminders of a signee',
  description: 'Cancel the planned reminders of a signee; in a sequence, for all documents.',
  args: {
    '<process>': 'key of the process, or of the sequence',
    '<signee>': 'key of the signee, or of the person of the sequence',
  },
  options: user,
  help: ['They cannot be restored. Manual reminders remain possible.'],
  examples: { 'innsigli remind cancel sp0123… si4567…': 'no more planned reminders' },
  exits: { 0: 'no reminder is planned', 5: 'no such process or signee' },
  call: async ({ reminders }, { process, signee, user }, { operator }) => ({
    documents: await reminders.cancelReminders(targetOf(process, signee), user ?? operator),
  }),
  text: async ({ documents }, { console }) => {
    const { green } = await console.style('stderr');
    const what = counted(documents, 'document');
    console.note(`${green('✓')} No more reminders are planned for ${what}.`);
  },
});

const remindRun = command('remind run', {
  summary: 'send due reminders and messages, once',
  description: 'Queue due reminders, send all pending messages, and exit.',
  help: [
    'For cron and similar, without a server. It may run alongside a server or another run: ' +
      'each message is sent by only one of them.',
  ],
  examples: {
    'innsigli remind run': 'now',
    '*/10 * * * * innsigli remind run --quiet': 'every ten minutes, as a crontab entry',
  },
  exits: {
    0: 'everything due was tried',
    3: 'some jobs failed and will be retried',
  },
  busy: 'Sending',
  call: ({ reminders }) => reminders.runDue(),
  text: ({ messages, processes, faults }, { console }) => {
    const looked = `reminders of ${counted(processes, 'document')} checked`;
    console.note(`${counted(messages, 'message')} tried, ${looked}, ${faults} failed`);
  },
  exit: ({ faults }) => (faults === 0 ? 0 : 3),
});

/** `remind` and its commands. */
export const remind = command('remind', {
  description:
    'Send one reminder now to a signee, or to a person of a sequence about all documents.',
  args: {
    '[process]': 'key of the process, or of the sequence',
    '[signee]': 'key of the signee, or of the person of the sequence',
  },
  options: {
    '--delivery <way>': {
      text: `channel: ${deliveryTypes.join(', ')} (default: that of the invitation)`,
      ...oneOf(deliveryTypes),
    },
    '--include-unsubscribe': 'add an unsubscribe link (Email only)',
    ...user,
  },
  help: [
    'Signees of type Qualified get mail or text messages, all others mail. None sends nothing ' +
      'and only logs that you reminded them. The default of --delivery is that of the ' +
      'invitation. The next "innsigli remind run" sends the message, a running server immediately.',
  ],
  examples: {
    'innsigli remind sp0123… si4567…': 'one signee, by the channel of the invitation',
    'innsigli remind pg0123… gs4567… --delivery Sms': 'all documents of a sequence',
    'innsigli remind run': 'send due reminders, for cron',
  },
  exits: {
    0: 'the reminder is queued',
    2: 'the signee cannot be reminded by this channel',
    5: 'no such process or signee',
    6: 'the signee has signed, or the process is closed',
  },
  commands: [remindCancel, remindRun],
  check({ process, signee, delivery, includeUnsubscribe }) {
    if (process === undefined || signee === undefined) {
      refuseUsage('expected a process and a signee', 'innsigli remind PROCESS SIGNEE');
    }
    if (includeUnsubscribe && delivery !== 'Email') {
      refuseUsage(`--include-unsubscribe: expected --delivery Email, found ${delivery ?? 'none'}`);
    }
  },
  call: async (service, { process = '', signee = '', includeUnsubscribe, ...given }, own) => {
    const { delivery: wanted, user = own.operator } = given;
    const made = await service.reminders.remind(targetOf(process, signee), {
      includeUnsubscribe: includeUnsubscribe === true,
      ...defined({ delivery: wanted }),
      user,
    });
    const { key: processKey, delivery, isDouble } = made;
    return { processKey, signeeKey: signee, delivery, isDouble };
  },
  text: async ({ processKey, delivery, isDouble }, { console }) => {
    const { green } = await console.style('stderr');
    const what =
      delivery === 'None' ? 'is recorded in the log' : `is queued for delivery by ${delivery}`;
    console.note(
      isDouble
        ? `A reminder by ${delivery} is already queued; no second one is sent.`
        : `${green('✓')} The reminder ${what}.`,
    );
    console.result(printable(processKey));
  },
});
