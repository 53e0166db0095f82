import {
  type Activity,
  type ChainHead,
  nextRow,
  type OpenedValue,
} from '../../../src/domain/activity/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { ActivityDraft, SigningProcess } from '../../../src/domain/process/index.ts';

/** Start time of test logs. */
export const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A process with the members that the log reads. */
export function processOf(key: string, changes: Partial<SigningProcess> = {}): SigningProcess {
  return {
    key: asKey('process', key),
    companyKey: asKey('company', 'c0ffee000000'),
    flowKey: asKey('flow', 'f10e00000000'),
    flowType: 'DropAndSign',
    flowName: 'Contracts',
    status: 'Active',
    phase: 'Open',
    rev: 1,
    fileName: 'contract.pdf',
    documentRev: 0,
    signees: [],
    requiresAuth: false,
    signInOrder: false,
    signatureLocation: 'TopFirstPage',
    flattenDocument: false,
    meta: {},
    attachments: [],
    createdAtMs: startMs,
    expiresAtMs: startMs + 30 * 86_400_000,
    leaseToken: 0,
    finalization: { attempts: 0 },
    ...changes,
  } as SigningProcess;
}

/** A log in memory. */
export interface TestLog {
  readonly rows: Activity[];
  readonly personal: Map<number, OpenedValue[]>;
}

/** The log of a process after `drafts`, one a second. */
export function logOf(key: string, drafts: readonly ActivityDraft[]): TestLog {
  const rows: Activity[] = [];
  const personal = new Map<number, OpenedValue[]>();
  let head: ChainHead | undefined;
  let salt = 0;
  for (const [index, draft] of drafts.entries()) {
    const next = nextRow(head, processOf(key), draft, startMs + index * 1000, () => {
      salt += 1;
      return salt.toString(16).padStart(32, '0');
    });
    rows.push(next.row);
    const opened = next.personal.map((each) => ({ ...each, value: each.value ?? '' }));
    if (opened.length > 0) personal.set(next.row.seq, opened);
    head = next.row;
  }
  return { rows, personal };
}

/** The rows that a process with one signee writes. */
export const usualDrafts: readonly ActivityDraft[] = [
  { status: 'Created', createdBy: 'eva@example.is', fileName: 'samningur.pdf' },
  { status: 'SigneeAdded', createdBy: 'System', signeeKey: asKey('signee', 'si01') },
  { status: 'Started', createdBy: 'eva@example.is', fileName: 'samningur.pdf' },
  {
    status: 'SigneeSigned',
    createdBy: 'System',
    signeeKey: asKey('signee', 'si01'),
    description: 'click',
    personal: { ip: '192.0.2.7', userAgent: 'Mozilla/5.0 Þ' },
  },
  { status: 'Completed', createdBy: 'System', signeeKey: asKey('signee', 'si01') },
];
