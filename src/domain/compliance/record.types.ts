import type { CompanyKey, ProcessKey } from '../keys.ts';
import type { ComplianceType, RiskLevel } from './rules.ts';

/** One assessment required of a person or business. */
export interface Requirement {
  readonly type: ComplianceType;
  /** `YYYY-MM-DD`; absent until it is answered. */
  readonly answeredDate?: string;
  /** Date of the next check. Absent: the company's period after the answer. */
  readonly nextDate?: string;
  /** Flow with which it is answered. */
  readonly flowKey?: string;
  /** Process with which it was last answered. */
  readonly processKey?: ProcessKey;
}

/** An evaluation of the risk of a business relationship. */
export interface RiskEvaluation {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Absent if not stated: the periods for high risk then apply. */
  readonly level?: RiskLevel;
  /** Last day on which it is valid. Absent: the company's period after the date. */
  readonly until?: string;
}

/** The decision to keep a politically exposed person as a customer. */
export interface PepAcceptance {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Last day on which it is valid. */
  readonly until: string;
  /** As entered by the person who decided. */
  readonly reason: string;
}

/** Source of a change to a record. */
export type ComplianceSource = 'record' | 'import' | 'evaluate' | 'accept' | 'flow';

/** One change of a record. */
export interface ComplianceChange {
  readonly atMs: number;
  readonly source: ComplianceSource;
  /** Members whose value changed, with the new value. */
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
  /** E-mail address and phone number, normalised. Finds persons without a national number. */
  readonly contactKey?: string;
  /** Normalised e-mail address; below, the phone number. Absent in records of earlier versions. */
  readonly emailKey?: string;
  readonly phoneKey?: string;
  /** Normalised name. Finds businesses. */
  readonly nameKey?: string;
  /** National numbers of the beneficial owners of a business. */
  readonly owners?: readonly string[];
  readonly pepFound: boolean;
  readonly pepAcceptance?: PepAcceptance;
  readonly risk?: RiskEvaluation;
  /** Set by earlier versions, which stored no evaluation: it is then dated from the last change. */
  readonly isRiskEvaluated?: boolean;
  readonly requirements: readonly Requirement[];
  /** Oldest first. Absent in records of earlier versions. */
  readonly changes?: readonly ComplianceChange[];
  readonly updatedAtMs: number;
}

/** Search key of records. Values are in the form in which records store them. */
export type ComplianceKey =
  | { readonly ssn: string }
  | { readonly contact: string }
  | { readonly name: string }
  | { readonly email: string }
  | { readonly phone: string };
