import { defined } from '../../../base/defined.ts';
import { codeOf } from '../../../base/errors.ts';
import { type Activity, isInconclusive, openedValues } from '../../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../../domain/keys.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import { useCase } from '../../operation.ts';
import type { AuditedProcess, BlobStore, StoreUnit } from '../../ports/index.ts';
import { notFoundError } from '../../required.ts';
import type { ActivityPorts } from '../ports.ts';
import { type ChainFinding, type ChainWalk, findingsMax, newChainWalk } from './chain-walk.ts';
import { type EvidenceStatement, parseEvidence } from './compare-evidence.ts';
import { type DaysVerification, verifyDays } from './verify-days.ts';

/** Dependencies of the verification. Tokens of daily roots must chain to `timestamps.anchors`. */
export type VerifyPorts = Pick<ActivityPorts, 'store' | 'now' | 'timestamps' | 'blobs'>;

/** Part of the log to verify. */
export interface VerifyRequest {
  /** Only this process, and only the daily roots of days on which it has rows. */
  readonly processKey?: ProcessKey;
  /** Only processes created, and days that ended, after this time. */
  readonly sinceMs?: number;
}

/** Verification result of a log. Faults are returned, not thrown. */
export interface ActivityVerification extends DaysVerification {
  /** True if no changed, removed or added row was found. */
  readonly isIntact: boolean;
  /** Intact, and for no day does it remain open whether it was changed before it was anchored. */
  readonly isVouched: boolean;
  readonly processes: number;
  readonly rows: number;
  /** Hash of the newest row, for a single process. */
  readonly head?: string;
  readonly chainFindings: readonly ChainFinding[];
}

const pageSize = 200;

/** Verifies the chains of the company or of one process, and the daily roots. */
export const verifyActivity = useCase(
  ['process.not_found'],
  async (
    ports: VerifyPorts,
    companyKey,
    request: VerifyRequest = {},
  ): Promise<ActivityVerification> =>
    request.processKey === undefined
      ? verifyCompany(ports, companyKey, request.sinceMs ?? 0)
      : verifyProcess(ports, companyKey, request.processKey),
);

async function verifyProcess(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  key: ProcessKey,
): Promise<ActivityVerification> {
  const walk = newChainWalk();
  const visited = await ports.store.read(async (unit) => {
    const [found] = await unit.processes.audit(companyKey, key);
    if (found?.key !== key) throw notFoundError('process', key);
    return visit(walk, unit, companyKey, [found]);
  });
  const claimed = await checkAllFiles(ports, visited.files, walk);
  const days = await verifyDays(ports, companyKey, 0, walk.days(), claimed, 'walked');
  const [head] = visited.heads;
  return { ...verdictOf(walk, days), ...defined({ head }) };
}

async function verifyCompany(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  sinceMs: number,
): Promise<ActivityVerification> {
  const walk = newChainWalk();
  const claimed = new Map<string, Set<string>>();
  let after: string | undefined;
  do {
    const from = after;
    const { files, last } = await ports.store.read(async (unit) => {
      const page = await unit.processes.auditAfter(companyKey, from, pageSize);
      const isWanted = (each: AuditedProcess) => sinceMs === 0 || !(each.createdAtMs < sinceMs);
      const wanted = page.filter(isWanted);
      const visited = await visit(walk, unit, companyKey, wanted);
      return { ...visited, last: page.at(-1)?.key };
    });
    for (const [day, digests] of await checkAllFiles(ports, files, walk)) {
      claimed.set(day, new Set([...(claimed.get(day) ?? []), ...digests]));
    }
    after = last;
  } while (after !== undefined);
  const orphans = await ports.store.read((unit) => unit.activity.orphans(companyKey, findingsMax));
  for (const processKey of orphans) walk.report({ processKey, seq: 1, fault: 'log.orphaned' });
  return verdictOf(walk, await verifyDays(ports, companyKey, sinceMs, walk.days(), claimed));
}

function verdictOf(walk: ChainWalk, days: DaysVerification): ActivityVerification {
  const chains = walk.result();
  const isIntact = chains.isIntact && days.dayFindings.every(({ fault }) => isInconclusive(fault));
  const isVouched = isIntact && chains.isVouched && days.dayFindings.length === 0;
  return { ...chains, ...days, isIntact, isVouched };
}

/** Verifies the chains of processes. Returns the newest hash and the files of each intact one. */
async function visit(
  walk: ChainWalk,
  unit: StoreUnit,
  companyKey: CompanyKey,
  found: readonly AuditedProcess[],
) {
  const keys = found.map(({ key }) => key);
  const rows = await unit.activity.rowsOf(keys);
  const personal = await unit.activity.personalOf(keys);
  const heads: string[] = [];
  const files: StoredFiles[] = [];
  for (const { key, process } of found) {
    const own = rows.get(key) ?? [];
    if (process === undefined) {
      walk.report({ processKey: key, seq: own.length, fault: 'process.unreadable' });
    }
    const values = process && openedValues(own, personal.get(key) ?? new Map(), process);
    const head = walk.check(key, own, values, { companyKey }, process);
    if (head === undefined || process === undefined) continue;
    heads.push(head);
    files.push(storedFiles(process, own));
  }
  return { heads, files };
}

/** Compares chains with stored files. Returns the daily roots according to the evidence. */
async function checkAllFiles(
  { blobs }: VerifyPorts,
  files: readonly StoredFiles[],
  walk: ChainWalk,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const claimed = new Map<string, Set<string>>();
  for (const each of blobs === undefined ? [] : files) {
    const { finding, lastRoot } = await checkFiles(blobs as Blobs, each);
    if (finding !== undefined) walk.report(finding);
    if (lastRoot === undefined) continue;
    const digests = claimed.get(lastRoot.day) ?? new Set();
    claimed.set(lastRoot.day, digests.add(lastRoot.digest));
  }
  return claimed;
}

type Blobs = NonNullable<VerifyPorts['blobs']>;

/** Files of a process in the store, and the hashes of its rows. */
interface StoredFiles {
  readonly processKey: SigningProcess['key'];
  readonly hashes: readonly string[];
  /** Documents and attachments. Earlier versions may have garbage-collected earlier revisions. */
  readonly contents: readonly string[];
  /** The evidence record of a completed process. */
  readonly evidence?: string;
}

function storedFiles(process: SigningProcess, rows: readonly Activity[]): StoredFiles {
  const { original, document, attachments } = process;
  const current = [original, document, ...attachments.map((each) => each.document)];
  return {
    processKey: process.key,
    hashes: rows.map(({ hash }) => hash),
    contents: current.flatMap((each) => each?.sha256 ?? []),
    ...defined({ evidence: evidenceOf(process, rows) }),
  };
}

/**
 * The digest of the evidence record of a process according to its log; the attachments of the
 * process could have been altered. Undefined without a record and after a purge.
 */
function evidenceOf(
  { purgedAtMs, attachments }: SigningProcess,
  rows: readonly Activity[],
): string | undefined {
  const completed = rows.find(({ status }) => status === 'Completed');
  if (completed === undefined || purgedAtMs !== undefined) return undefined;
  // Rows of earlier versions do not record it.
  const older = () =>
    attachments.findLast(
      ({ contentType, fileName }) =>
        contentType === 'application/json' && fileName.endsWith('-evidence.json'),
    )?.document.sha256;
  const { digests } = completed;
  return digests === undefined ? older() : digests['evidence'];
}

/** The fault, if any, and the last daily root in the evidence. */
interface FilesConclusion {
  readonly finding?: ChainFinding;
  readonly lastRoot?: EvidenceStatement['lastRoot'];
}

/**
 * Compares the log of a process with the evidence created from it (the hashes differ if the log was
 * rewritten), and checks that its contents exist: no worker removes them before a purge.
 */
async function checkFiles(
  blobs: Pick<BlobStore, 'get' | 'has'>,
  files: StoredFiles,
): Promise<FilesConclusion> {
  const { processKey, hashes, contents, evidence } = files;
  const checked = evidence === undefined ? {} : await checkEvidence(blobs, files, evidence);
  if (checked.finding !== undefined) return checked;
  for (const sha256 of contents) {
    if (await blobs.has(sha256)) continue;
    return { ...checked, finding: { processKey, seq: hashes.length, fault: 'contents.missing' } };
  }
  return checked;
}

async function checkEvidence(
  blobs: Pick<BlobStore, 'get'>,
  { processKey, hashes }: StoredFiles,
  sha256: string,
): Promise<FilesConclusion> {
  let statement: EvidenceStatement;
  try {
    statement = parseEvidence(await blobs.get(sha256));
  } catch (error) {
    const isOther = ['activity.evidence.invalid', 'blob.corrupt'].includes(codeOf(error));
    const fault = isOther ? 'evidence.other' : 'evidence.missing';
    return { finding: { processKey, seq: hashes.length, fault } };
  }
  const { chain, lastRoot } = statement;
  if (statement.processKey !== processKey || hashes[chain.count - 1] !== chain.head) {
    return { finding: { processKey, seq: chain.count, fault: 'evidence.other' } };
  }
  return lastRoot === undefined ? {} : { lastRoot };
}
