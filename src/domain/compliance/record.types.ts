import type { CompanyKey, ProcessKey } from '../keys.ts';
import type { ComplianceType, RiskLevel } from './rules.ts';

/** One assessment required of a person or business. */
export interface Requirement {
  readonly type: ComplianceType;
  /** `YYYY-MM-DD`; absent while it was not answered. */
  readonly answeredDate?: string;
  /** Date of the next check; absent: the period of the company after the answer. */
  readonly nextDate?: string;
  /** Flow with which it is answered. */
  readonly flowKey?: string;
  /** Process with which it was answered last. */
  readonly processKey?: ProcessKey;
}

/** An evaluation of the risk of a business relationship. */
export interface RiskEvaluation {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Absent: nobody said, and the periods of high risk apply. */
  readonly level?: RiskLevel;
  /** Last day on which it counts; absent: the period of the company after the date. */
  readonly until?: string;
}

/** The decision to keep a politically exposed person as a customer. */
export interface PepAcceptance {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Last day on which it counts. */
  readonly until: string;
  /** In the words of the one who decided. */
  readonly reason: string;
}

/** What wrote to a record. */
export type ComplianceSource = 'record' | 'import' | 'evaluate' | 'accept' | 'flow';

/** One change of a record. */
export interface ComplianceChange {
  readonly atMs: number;
  readonly source: ComplianceSource;
  /** Members with another value than before, as they are since. */
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Compliance record of a person or business. */
export interface ComplianceRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly kind: 'person' | 'business';
  readonly name: string;
  /** Digits. */
  readonly ssn?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  /** E-mail and phone in one form; a person without a number is found by it. */
  readonly contactKey?: string;
  /** The e-mail address and the phone in one form; not in records of earlier versions. */
  readonly emailKey?: string;
  readonly phoneKey?: string;
  /** The name in one form; businesses are found by it. */
  readonly nameKey?: string;
  /** National numbers of the beneficial owners of a business. */
  readonly owners?: readonly string[];
  readonly pepFound: boolean;
  readonly pepAcceptance?: PepAcceptance;
  readonly risk?: RiskEvaluation;
  /** Of earlier versions, which kept no evaluation: it counts from the last change. */
  readonly isRiskEvaluated?: boolean;
  readonly requirements: readonly Requirement[];
  /** The newest last; not in records of earlier versions. */
  readonly changes?: readonly ComplianceChange[];
  readonly updatedAtMs: number;
}

/** Search key of records; each value in the form in which they store it. */
export type ComplianceKey =
  | { readonly ssn: string }
  | { readonly contact: string }
  | { readonly name: string }
  | { readonly email: string }
  | { readonly phone: string };
