import { defined } from '../../../base/defined.ts';
import { attemptAny, InnsigliError } from '../../../base/errors.ts';
import { openedValues } from '../../../domain/activity/index.ts';
import { asKey, type CompanyKey } from '../../../domain/keys.ts';
import { useCase } from '../../operation.ts';
import type { StorePorts, StoreUnit } from '../../ports/index.ts';
import { digestOfRoots, readRoots } from '../anchor/stored-roots.ts';
import { findFault } from './chain-walk.ts';

/** The log as an evidence record describes it, at the time the record was created. */
export interface EvidenceStatement {
  readonly companyKey: string;
  readonly processKey: string;
  readonly chain: { readonly count: number; readonly head: string };
  readonly lastRoot?: { readonly day: string; readonly digest: string };
  /** SHA-256 of the sealed document. */
  readonly sealedSha256: string;
}

/** Difference between a log and an evidence record. */
export type EvidenceFault =
  /** The process no longer exists. */
  | 'process.missing'
  /** The log of the process is not intact, or has a different row in that position. */
  | 'chain.changed'
  /** The daily roots up to that day differ, or some are missing. */
  | 'roots.changed'
  /** The process names a different document as its result. */
  | 'document.changed';

/** Result of a comparison. Differences are returned, not thrown. */
export interface EvidenceComparison {
  readonly processKey: string;
  readonly faults: readonly EvidenceFault[];
}

/** Maximum size of an evidence record, in bytes. */
export const evidenceBytesMax = 64 * 1024 * 1024;

/**
 * Parses the JSON file of an evidence record.
 *
 * @throws activity.evidence.invalid
 */
export function parseEvidence(json: Uint8Array): EvidenceStatement {
  const statement = statementOf(json);
  if (statement !== undefined) return statement;
  const message = 'expected an evidence record, found a different file';
  const hint = 'pass the JSON file that belongs to the evidence page';
  throw new InnsigliError('activity.evidence.invalid', message, { hint });
}

type Json = Readonly<Record<string, unknown>>;

function statementOf(json: Uint8Array): EvidenceStatement | undefined {
  const record = objectOf(attemptAny(() => JSON.parse(Buffer.from(json).toString('utf8'))));
  if (record['format'] !== 'innsigli.evidence' || record['version'] !== 1) return undefined;
  const companyKey = objectOf(record['company'])['key'];
  const processKey = objectOf(record['process'])['key'];
  const sealedSha256 = objectOf(objectOf(record['documents'])['sealed'])['sha256'];
  const { count, head } = objectOf(record['chain']);
  const { day, digest } = objectOf(record['lastRoot']);
  const isNamed = typeof companyKey === 'string' && typeof processKey === 'string';
  if (!isNamed || typeof sealedSha256 !== 'string') return undefined;
  if (!Number.isSafeInteger(count) || typeof head !== 'string') return undefined;
  const root = typeof day === 'string' && typeof digest === 'string' ? { day, digest } : undefined;
  return {
    companyKey,
    processKey,
    sealedSha256,
    chain: { count: count as number, head },
    ...defined({ lastRoot: root }),
  };
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/**
 * Compares the log with an evidence record. The record itself is not verified: its digest is on the
 * sealed evidence page.
 *
 * @param record JSON in UTF-8
 * @throws activity.evidence.invalid
 * @throws activity.evidence.foreign if it belongs to another company
 */
export const compareEvidence = useCase(
  ['activity.evidence.invalid', 'activity.evidence.foreign'],
  async (
    { store, now }: StorePorts,
    companyKey,
    record: Uint8Array,
  ): Promise<EvidenceComparison> => {
    const statement = parseEvidence(record);
    if (statement.companyKey !== companyKey) {
      const found = `found evidence of ${statement.companyKey.slice(0, 40)}`;
      const message = `expected evidence of company ${companyKey}, ${found}`;
      throw new InnsigliError('activity.evidence.foreign', message);
    }
    const faults = await store.read((unit) => faultsIn(unit, companyKey, statement, now()));
    return { processKey: statement.processKey, faults };
  },
);

async function faultsIn(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { processKey, chain, lastRoot, sealedSha256 }: EvidenceStatement,
  nowMs: number,
): Promise<readonly EvidenceFault[]> {
  const key = asKey('process', processKey);
  const faults: EvidenceFault[] = [];
  const [found] = await unit.processes.audit(companyKey, key);
  if (found === undefined) faults.push('process.missing');
  else {
    const { process } = found;
    const rows = await unit.activity.rows(key);
    const personal = await unit.activity.personal(key);
    const values = process && openedValues(rows, personal, process);
    const isOther = rows[chain.count - 1]?.hash !== chain.head || process === undefined;
    const finding = findFault(key, rows, values, { companyKey }, process);
    if (isOther || finding !== undefined) faults.push('chain.changed');
    const isThere = process?.purgedAtMs === undefined;
    if (isThere && process?.document?.sha256 !== sealedSha256) faults.push('document.changed');
  }
  if (lastRoot === undefined) return faults;
  const { roots } = await readRoots(unit, companyKey, nowMs, 'none');
  const until = roots.filter(({ day }) => day <= lastRoot.day);
  const isKept = until.at(-1)?.day === lastRoot.day && digestOfRoots(until) === lastRoot.digest;
  return isKept ? faults : [...faults, 'roots.changed'];
}
