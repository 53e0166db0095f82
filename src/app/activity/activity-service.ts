import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';
import { type AnchorReport, anchorDays } from './anchor/anchor-days.ts';
import { erasePersonal } from './erase-personal.ts';
import { type ExportRequest, exportActivity } from './export-log.ts';
import type { ActivityLogWrapper } from './log-shapes.ts';
import type { ActivityPorts } from './ports.ts';
import type { ActivityFilter, ActivityQuery } from './query-input.ts';
import { countActivity, queryActivity, queryActivityPages } from './query-log.ts';
import {
  compareEvidence,
  type EvidenceComparison,
  parseEvidence,
} from './verify/compare-evidence.ts';
import {
  type ActivityVerification,
  type VerifyRequest,
  verifyActivity,
} from './verify/verify-log.ts';

/** The activity log of one company. */
export interface ActivityService {
  /** The log of each process that was asked for, newest process first. */
  list(query: ActivityQuery): Promise<readonly ActivityLogWrapper[]>;
  /** The same page by page, each read when it is asked for. */
  pages(query: ActivityQuery): AsyncGenerator<readonly ActivityLogWrapper[]>;
  /** How many processes the filter finds. */
  total(filter: ActivityFilter): Promise<{ readonly total: number }>;
  /** Whether the log is what was written. @throws process.not_found */
  verify(request?: VerifyRequest): Promise<ActivityVerification>;
  /**
   * Whether the log still has what an evidence record (JSON) was made from.
   *
   * @throws activity.evidence.invalid, activity.evidence.foreign
   */
  compare(record: Uint8Array): Promise<EvidenceComparison>;
  /** Lines of text; the export is logged. @throws clock.back */
  export(request: ExportRequest): AsyncIterable<string>;
  /** Anchors all days that are over. Running it again adds nothing. */
  anchor(): Promise<AnchorReport>;
  /** Removes the personal values of a process from the log. @throws process.not_found */
  erase(processKey: ProcessKey): Promise<void>;
}

/** The activity log of `companyKey`. */
export function activityService(ports: ActivityPorts, companyKey: CompanyKey): ActivityService {
  return {
    list: (query) => queryActivity(ports, companyKey, query),
    pages: (query) => queryActivityPages(ports, companyKey, query),
    total: (filter) => countActivity(ports, companyKey, filter),
    verify: (request) => verifyActivity(ports, companyKey, request),
    compare: async (record) => compareEvidence(ports, companyKey, parseEvidence(record)),
    export: (request) => exportActivity(ports, companyKey, request),
    anchor: () => anchorDays(ports, companyKey),
    erase: (processKey) => erasePersonal(ports, companyKey, processKey),
  };
}
