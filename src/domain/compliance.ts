import type { CompanyKey } from './keys.ts';

/** Kinds of assessment that a person or business may have to answer. */
export const complianceTypes = ['PEP', 'AML', 'MIFID'] as const;

/** One of {@link complianceTypes}. */
export type ComplianceType = (typeof complianceTypes)[number];

/** One assessment required of a person or business. */
export interface Requirement {
  readonly type: ComplianceType;
  /** `YYYY-MM-DD`; absent while it was not answered. */
  readonly answeredDate?: string;
  /** Date of the next check. */
  readonly nextDate?: string;
  readonly flowKey?: string;
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
  readonly pepFound: boolean;
  /** True when the risk has been checked. */
  readonly isRiskEvaluated: boolean;
  readonly requirements: readonly Requirement[];
  readonly updatedAtMs: number;
}

/** Search key of records; each value in the form in which they store it. */
export type ComplianceKey =
  | { readonly ssn: string }
  | { readonly contact: string }
  | { readonly name: string }
  | { readonly email: string }
  | { readonly phone: string };

/** Reasons against compliance, in the published words. */
export type ComplianceMessage =
  | 'pep found'
  | 'has not been risk evaluated'
  | 'missed due dates'
  | 'does not meet all requirements';

/** Compliance status of a person or business. */
export interface ComplianceStatus {
  /** True when there is no message. */
  readonly isCompliant: boolean;
  readonly pepFound: boolean;
  readonly messages: readonly ComplianceMessage[];
  /** All of them when one is missed or not met; nothing otherwise. */
  readonly requirements: readonly Requirement[];
}

/** State of a person or business on a day, `YYYY-MM-DD`. */
export function checkCompliance(record: ComplianceRecord, today: string): ComplianceStatus {
  const { kind, pepFound, isRiskEvaluated, requirements } = record;
  const isMissed = requirements.some(({ nextDate }) => nextDate !== undefined && nextDate < today);
  const isUnmet = requirements.some(({ answeredDate }) => answeredDate === undefined);
  const found: readonly [boolean, ComplianceMessage][] = [
    [kind === 'person' && pepFound, 'pep found'],
    [!isRiskEvaluated, 'has not been risk evaluated'],
    [isMissed, 'missed due dates'],
    [isUnmet, 'does not meet all requirements'],
  ];
  const messages = found.filter(([applies]) => applies).map(([, message]) => message);
  return {
    isCompliant: messages.length === 0,
    pepFound,
    messages,
    requirements: isMissed || isUnmet ? requirements : [],
  };
}
