import { defined } from '../../../base/defined.ts';
import { processStatuses } from '../../../domain/process/index.ts';
import { atMost, command, integer, key, oneOf } from '../../command/index.ts';
import { processDocument, processLines, processTable } from '../../process-report/index.ts';
import { processChanges } from './change.ts';
import { processCreate } from './create.ts';
import { processContent } from './document.ts';
import { processSignee } from './signee-group.ts';

const processShow = command('process show', {
  summary: 'show a process',
  description: 'Show a process with its signees.',
  args: { '<process>': 'key of the process' },
  examples: { 'innsigli process show sp12… --json': 'for programs' },
  exits: {
    0: 'shown',
    5: 'no such process',
    9: 'everyone has signed, and the seal is pending or failed',
  },
  call: async ({ processes, frontEnd }, { process }) => ({
    process: await processes.show({ key: process }),
    frontEnd,
  }),
  document: ({ process, frontEnd }) => ({ process: processDocument(process, frontEnd) }),
  text: async ({ process }, { console }) =>
    console.result(processLines(process, await console.style('stdout'))),
  exit: ({ process: { phase } }) => (phase === 'Finalizing' || phase === 'FinalizeFailed' ? 9 : 0),
});

const processList = command('process list', {
  summary: 'list processes',
  description: 'List processes, newest first.',
  options: {
    '--status <status>': { text: processStatuses.join(', '), ...oneOf(processStatuses) },
    '--search <text>': 'key, file name, or name, e-mail, phone or SSN of a signee',
    '--user <e-mail>': 'only of this owner',
    '--flow <key>': { text: 'only of this flow', ...key('flow') },
    '--take <count>': atMost('processes', [0, 999_999], 50),
    '--skip <count>': { text: 'number of entries to skip', ...integer(0, 999_999), default: '0' },
  },
  examples: { 'innsigli process list --status Active': 'processes awaiting signatures' },
  exits: { 0: 'listed (the list may be empty)', 2: 'an option is invalid' },
  call: async ({ processes, frontEnd }, { flow: flowKey, ...filter }) => ({
    processes: await processes.list(defined({ flowKey, ...filter })),
    frontEnd,
  }),
  document: ({ processes, frontEnd }) => ({
    processes: processes.map((process) => processDocument(process, frontEnd)),
  }),
  text: async ({ processes }, { console }) => {
    const style = await console.style('stdout');
    if (processes.length > 0) console.result(processTable(processes, style));
    else console.note('no process matches');
  },
});

/** `process` with its commands. */
export const process = command('process', {
  description: 'Submit documents for signature and track them.',
  commands: [
    processCreate,
    processShow,
    processList,
    processContent,
    ...processChanges,
    processSignee,
  ],
});
