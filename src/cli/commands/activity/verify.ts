import {
  type ActivityVerification,
  type EvidenceComparison,
  type ExportVerification,
  evidenceBytesMax,
} from '../../../app/activity/index.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { command, key, pastTime } from '../../command/index.ts';
import { type CommandContext, loadConfig, openToolkit, refuseUsage } from '../../context.ts';
import { closeInput, piecesOf, readInput } from '../../files/index.ts';
import { settingsFrom, trustOption } from '../../options/index.ts';
import { counted, printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { countedProcesses } from './options.ts';

const evidenceWords: Readonly<Record<EvidenceComparison['faults'][number], string>> = {
  'process.missing': 'the process no longer exists',
  'chain.changed': 'the log of the process has different rows',
  'roots.changed': 'the daily roots differ, or some are missing',
  'document.changed': 'the process refers to a different document',
};

const faultWords: Readonly<Record<string, string>> = {
  'row.foreign': 'belongs to a different process, company or flow',
  'row.missing': 'is missing or duplicated',
  'row.changed': 'was changed',
  'time.back': 'is older than the row before it',
  'row.late': 'records an action of an open process after the process ended',
  'personal.changed': 'has a changed personal value',
  'personal.added': 'has a personal value that was added later',
  'personal.missing': 'has lost a personal value without an erasure',
  'status.changed': 'is the newest, and the status of the process differs from its log',
  'process.changed': 'differs from the process in its times, end or purge',
  'process.unreadable': 'is the newest, and its process cannot be read',
  'signee.changed': 'differs from the process in the data of a signee',
  'document.changed': 'differs from the process in its document or an attachment',
  'evidence.other': 'differs from the evidence of the process',
  'evidence.missing': 'is the newest, and the evidence of the process cannot be read',
  'contents.missing': 'is the newest, and a document or attachment of the process is missing',
  'log.orphaned': 'belongs to a process that no longer exists',
  'rows.missing': 'has fewer rows than anchored',
  'rows.added': 'has more rows than anchored (or the clock was set back by hours)',
  'rows.changed': 'has different rows than anchored',
  'root.changed': 'has a different root than the evidence',
  'root.malformed': 'has a malformed root',
  'root.early': 'has a root from before its end: a clock was wrong',
  'root.missing': 'has no root',
  'root.unlinked': 'has a root that does not follow the previous root',
  'token.missing': 'has a root without a time-stamp',
  'token.late':
    'was time-stamped more than 48 hours after its end: it may have been changed before that',
  'token.early': 'was time-stamped before its end: a clock was wrong',
  'token.invalid': 'has a time-stamp that does not match its root or is not trusted',
};

/** Verifies the log, an export, or the log against evidence, and prints the errors found. */
export const activityVerify = command('activity verify', {
  summary: 'verify the integrity of the log',
  description: 'Verify the hash chain of each process and the anchored days.',
  args: { '[process]': { text: 'only the chain of this process', ...key('process') } },
  options: {
    '--since <time>': {
      text: 'only processes and days after this time: 2026-01-31, 7d, 12h',
      ...pastTime,
    },
    '--file <export>': 'verify an export instead of the database; - for stdin',
    '--evidence <json>': 'compare the log with this evidence record; - for stdin',
    ...trustOption,
  },
  help: [
    'A changed, removed, added or moved row breaks its chain. A chain truncated at its end ' +
      'shows in the daily roots: days after the last anchored day cannot be confirmed.',
    'With --file only the export is read, as an auditor would. Its time-stamps are checked ' +
      'with --trust. The time-stamp of a root confirms the rows of its day if all of them are ' +
      'in the export, which is rare in a filtered export. Rows of the last days, which have no ' +
      'root yet, are counted but not confirmed.',
    'A day without a root, or time-stamped more than 48 hours after its end, is in ' +
      'doubt: anyone with access to the database could have rewritten it. These days are listed, ' +
      'and the exit code is 9.',
    'Each process is compared with its rows: documents, attachments, signees, retention, last ' +
      'day, end and purge; and its documents must exist.',
    'With --evidence the log is compared with a record kept elsewhere: this detects a database ' +
      'that was restored or rewritten as a whole. The sealed evidence page states the SHA-256 ' +
      'of its record.',
  ],
  examples: {
    'innsigli activity verify': 'the whole log of the company',
    'innsigli activity verify sp0123…': 'one process',
    'innsigli activity verify --file log.jsonl --trust tsa-root.pem': 'without the database',
    'innsigli activity verify --evidence a-evidence.json': 'against the record of a signee',
  },
  exits: {
    0: 'the log is intact; for an export, all but the last days are confirmed',
    5: 'no such process or file',
    7:
      'the log is not intact, or the file is not an export; the first broken row of each ' +
      'process is listed',
    9: 'no change was found, but some days cannot be confirmed, or a document is missing',
  },
  check({ process, since, file, evidence, trust }) {
    const isNarrowed = process !== undefined || since !== undefined;
    if (evidence !== undefined && (isNarrowed || file !== undefined)) {
      refuseUsage('expected --evidence alone, found it with a process, --since or --file');
    }
    if (file !== undefined && isNarrowed) {
      refuseUsage('expected --file alone, found it with a process or --since');
    }
    if (evidence !== undefined || file !== undefined) return;
    if (trust !== undefined) refuseUsage('--trust: expected --file with it, found none');
    if (process !== undefined && since !== undefined) {
      refuseUsage('expected a process or --since, found both');
    }
  },
  busy: 'Verifying',
  run: async ({ process: processKey, since: sinceMs, file, evidence, trust }, context) => {
    if (evidence !== undefined) return compareWith(evidence, context);
    if (file !== undefined) return verifyFile(file, trust, context);
    return useService(context, ({ activity }) => activity.verify(defined({ processKey, sinceMs })));
  },
  text: async (found, { console }) => {
    const { red, green, yellow } = await console.style('stdout');
    const faults = faultLines(found).map((line) => `${red('✗')} ${line}`);
    if (faults.length > 0) console.result(faults);
    const sign = { 0: green('✓'), 9: yellow('!'), 7: red('✗') }[exitOf(found)];
    const isShown = !console.mode.quiet && ('chainFindings' in found || found.isIntact);
    if (isShown) console.result(`${sign} ${summary(found)}`);
  },
  exit: exitOf,
});

type Compared = EvidenceComparison & { readonly isIntact: boolean };
type Verdict = ActivityVerification | ExportVerification;

function exitOf(found: Verdict | Compared): 0 | 7 | 9 {
  if (!found.isIntact) return 7;
  return 'isVouched' in found && !found.isVouched ? 9 : 0;
}

async function compareWith(name: string, context: CommandContext): Promise<Compared> {
  const input = await readInput(name, context.io);
  try {
    const { lengthBytes } = input.source;
    if (lengthBytes > evidenceBytesMax) {
      throw new InnsigliError('limit.exceeded', `expected at most ${evidenceBytesMax} bytes`);
    }
    const record = input.source.slice(0, lengthBytes);
    const compared = await useService(context, ({ activity }) => activity.compare(record));
    return { isIntact: compared.faults.length === 0, ...compared };
  } finally {
    closeInput(input);
  }
}

async function verifyFile(
  name: string,
  trust: readonly string[] | undefined,
  context: CommandContext,
): Promise<ExportVerification> {
  const { config } = await loadConfig(context, settingsFrom({ trust }));
  const toolkit = await openToolkit(context, config);
  const input = await readInput(name, context.io);
  try {
    return await toolkit.verifyLogExport(piecesOf(input.source));
  } finally {
    closeInput(input);
    toolkit.close();
  }
}

function faultLines(verdict: Verdict | Compared): readonly string[] {
  if (!('chainFindings' in verdict)) {
    const key = printable(verdict.processKey);
    return verdict.faults.map((fault) => `${key}: ${evidenceWords[fault]} (${fault})`);
  }
  const { chainFindings, dayFindings } = verdict;
  const isCut = 'isWhole' in verdict && !verdict.isWhole;
  return [
    ...(isCut ? ['the export is truncated, or lines were removed'] : []),
    ...chainFindings.map(
      ({ processKey, seq, fault }) =>
        `${printable(processKey)} row ${seq} ${faultWords[fault] ?? fault} (${fault})`,
    ),
    ...dayFindings.map(({ day, fault, expectedCount, foundCount }) => {
      const counts = `expected ${counted(expectedCount, 'row')}, found ${foundCount}`;
      return `${day} ${faultWords[fault] ?? fault} (${fault}: ${counts})`;
    }),
  ];
}

function summary(verdict: Verdict | Compared): string {
  if (!('chainFindings' in verdict)) {
    return `${printable(verdict.processKey)}: the log agrees with the evidence`;
  }
  const { isIntact, processes, rows, days, stampedDays, anchoredUntil } = verdict;
  const parts = [`${counted(rows, 'row')} of ${countedProcesses(processes)}`];
  if ('head' in verdict) parts.push(`head ${verdict.head}`);
  else if (anchoredUntil === undefined) parts.push('no day is anchored');
  else parts.push(`${counted(days, 'day')} (${stampedDays} time-stamped) until ${anchoredUntil}`);
  const sound = verdict.isVouched ? 'intact' : 'consistent, not confirmed';
  const what = isIntact ? sound : 'broken';
  if (!('isWhole' in verdict)) return `the log is ${what}: ${parts.join(', ')}`;
  const { wholeDays, vouchedRows, isFiltered } = verdict;
  if (days > 0) parts.push(`${wholeDays} of the days complete`);
  if (isFiltered) parts.push('filtered');
  const open = rows - vouchedRows;
  const verb = open === 1 ? 'is' : 'are';
  if (open > 0) parts.push(`${counted(open, 'row')} ${verb} not confirmed by a time-stamp`);
  return `the export is ${what}: ${parts.join(', ')}`;
}
