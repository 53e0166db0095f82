import type { SequenceView } from '../../../app/process/index.ts';
import { atMost, command, confirm, integer, mailAddress } from '../../command/index.ts';
import type { CommandContext } from '../../context.ts';
import { sequenceDocument, sequenceLines, sequenceTable } from '../../process-report/index.ts';
import { sequenceCreate } from './create.ts';

interface ShownSequence {
  readonly view: SequenceView;
  readonly frontEnd: string;
}

const printed = {
  document: ({ view, frontEnd }: ShownSequence) => ({ sequence: sequenceDocument(view, frontEnd) }),
  text: async ({ view, frontEnd }: ShownSequence, { console }: CommandContext) =>
    console.result(sequenceLines(view, frontEnd, await console.style('stdout'))),
};

const sequenceShow = command('sequence show', {
  summary: 'show a sequence',
  description: 'Show a sequence with its documents and persons.',
  args: { '<sequence>': 'key of the sequence' },
  examples: { 'innsigli sequence show pg12…': 'documents, persons and their links' },
  exits: { 0: 'shown', 5: 'no such sequence' },
  call: async ({ processes, frontEnd }, { sequence: key }): Promise<ShownSequence> => ({
    view: await processes.showSequence({ key }),
    frontEnd,
  }),
  ...printed,
});

const sequenceList = command('sequence list', {
  summary: 'list sequences',
  description: 'List sequences, newest first.',
  options: {
    '--take <count>': atMost('sequences', [0, 999_999], 50),
    '--skip <count>': { text: 'number of entries to skip', ...integer(0, 999_999), default: '0' },
  },
  examples: { 'innsigli sequence list': 'the newest 50' },
  exits: { 0: 'listed (the list may be empty)', 2: 'an option is invalid' },
  call: async ({ processes, frontEnd }, page) => ({
    views: await processes.listSequences(page),
    frontEnd,
  }),
  document: ({ views, frontEnd }) => ({
    sequences: views.map((view) => sequenceDocument(view, frontEnd)),
  }),
  text: async ({ views }, { console }) => {
    if (views.length > 0) console.result(sequenceTable(views, await console.style('stdout')));
    else console.note('there is no sequence');
  },
});

const sequenceCancel = command('sequence cancel', {
  summary: 'cancel a sequence',
  description: 'Cancel all open documents of a sequence. Only its owner may.',
  args: { '<sequence>': 'key of the sequence' },
  options: {
    '--user <e-mail>': { text: 'owner of the sequence', ...mailAddress, required: true },
    '-y, --yes': 'do not ask for confirmation',
  },
  examples: { 'innsigli sequence cancel pg12… --user me@example.is --yes': 'all documents' },
  exits: {
    0: 'cancelled, or already cancelled before',
    5: 'no such sequence',
    6: 'the owner is a different person, or everything is signed',
  },
  check: ({ yes }, context) =>
    confirm(yes, 'Cancel all open documents permanently? They can no longer be signed.', context),
  call: async ({ processes, frontEnd }, { sequence: key, user: by }): Promise<ShownSequence> => ({
    view: await processes.cancelSequence({ key, by }),
    frontEnd,
  }),
  ...printed,
});

/** `sequence` with its commands. */
export const sequence = command('sequence', {
  description: 'Submit several documents for signature as one.',
  commands: [sequenceCreate, sequenceShow, sequenceList, sequenceCancel],
});
