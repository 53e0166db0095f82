import type { ComplianceRecord, Requirement } from './record.ts';

/** What stands in the way of compliance, in the published words. */
export type ComplianceMessage =
  | 'pep found'
  | 'has not been risk evaluated'
  | 'missed due dates'
  | 'does not meet all requirements';

/** How somebody stands. */
export interface ComplianceStatus {
  /** True when there is no message. */
  readonly isCompliant: boolean;
  readonly pepFound: boolean;
  readonly messages: readonly ComplianceMessage[];
  /** All of them when one is missed or not met; nothing otherwise. */
  readonly requirements: readonly Requirement[];
}

/** How a person or business stands on a day, `YYYY-MM-DD`. */
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
