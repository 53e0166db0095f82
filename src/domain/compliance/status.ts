import { defined } from '../../base/defined.ts';
import type { ComplianceRecord, Requirement, RiskEvaluation } from './record.types.ts';
import {
  type ComplianceType,
  complianceTypes,
  type RiskLevel,
  type SubjectRules,
} from './rules.ts';

/** Reasons for non-compliance, as published. */
export type ComplianceMessage =
  | 'pep found'
  | 'has not been risk evaluated'
  | 'missed due dates'
  | 'does not meet all requirements';

/** Facts outside the record on which its status depends. */
export interface ComplianceFacts {
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string;
  readonly rules: SubjectRules;
  /** Flows with which an assessment is answered. */
  readonly flowKeys: Readonly<Partial<Record<ComplianceType, string>>>;
  /** Matches from the person's latest screening that were not ruled out as a different person. */
  readonly listed?: 'open' | 'accepted';
  /** True if an owner of the business has no record, or was found by screening and not accepted. */
  readonly hasOpenOwner?: boolean;
}

/** Compliance status of a person or business on a day. */
export interface ComplianceStatus {
  /** True if there is no message. */
  readonly isCompliant: boolean;
  readonly pepFound: boolean;
  readonly messages: readonly ComplianceMessage[];
  /** All requirements if one is overdue or not met; otherwise empty. */
  readonly requirements: readonly Requirement[];
  /** Level whose periods apply. A politically exposed person is high-risk. */
  readonly riskLevel: RiskLevel;
  /** Last day on which the risk evaluation is valid. Absent if there is none. */
  readonly riskUntil?: string;
  /** Day by which action is required: today or earlier if not compliant. */
  readonly dueDate: string;
}

/**
 * Status of a person or business on a day. Missing data count as non-compliant: a type that was
 * never answered, a risk without a level, an unknown date.
 */
export function checkCompliance(
  record: ComplianceRecord,
  facts: ComplianceFacts,
): ComplianceStatus {
  const { today, rules } = facts;
  const isRecorded = record.kind === 'person' && record.pepFound;
  const pepFound = isRecorded || facts.listed !== undefined;
  const risk = riskOf(record, today);
  const riskLevel = pepFound ? 'high' : (risk?.level ?? 'high');
  const riskUntil = risk && (risk.until ?? addMonths(risk.date, rules.riskMonths[riskLevel]));
  const all = requirementsOf(record, facts, riskLevel);
  const isMissed = all.some(({ nextDate }) => nextDate !== undefined && nextDate < today);
  const isUnmet = all.some((each) => !isAnswered(each, today)) || facts.hasOpenOwner === true;
  const found: readonly [boolean, ComplianceMessage][] = [
    [(isRecorded && !isAccepted(record, today)) || facts.listed === 'open', 'pep found'],
    [riskUntil === undefined || riskUntil < today, 'has not been risk evaluated'],
    [isMissed, 'missed due dates'],
    [isUnmet, 'does not meet all requirements'],
  ];
  const messages = found.filter(([applies]) => applies).map(([, message]) => message);
  const accepted = isRecorded ? record.pepAcceptance?.until : undefined;
  const dates = [riskUntil, accepted, ...all.map(({ nextDate }) => nextDate)];
  const isCompliant = messages.length === 0;
  const [dueDate = today] = [...dates, ...(isCompliant ? [] : [today])]
    .filter((date) => date !== undefined)
    .sort();
  return {
    ...{ isCompliant, pepFound, messages, riskLevel, dueDate },
    requirements: isMissed || isUnmet ? all : [],
    ...defined({ riskUntil }),
  };
}

/** The record's requirements and those of the company that it lacks, in the order of types. */
function requirementsOf(
  { requirements }: ComplianceRecord,
  { rules, flowKeys }: ComplianceFacts,
  level: RiskLevel,
): readonly Requirement[] {
  return complianceTypes.flatMap((type) => {
    const own = requirements.filter((each) => each.type === type);
    const wanted: readonly Requirement[] = rules.required.includes(type) ? [{ type }] : [];
    return (own.length > 0 ? own : wanted).map((each) => {
      const { answeredDate, flowKey = flowKeys[type] } = each;
      const next =
        each.nextDate ?? (answeredDate && addMonths(answeredDate, rules.months[type][level]));
      return {
        ...each,
        ...(next === undefined || next === '' ? {} : { nextDate: next }),
        ...defined({ flowKey }),
      };
    });
  });
}

// Tomorrow's date may be today's further east; a later date cannot be that of an answer.
function isAnswered({ answeredDate }: Requirement, today: string): boolean {
  return answeredDate !== undefined && !isAhead(answeredDate, today);
}

/** Whether `day` has not yet begun anywhere on earth. */
export function isAhead(day: string, today: string): boolean {
  return day > addDays(today, 1);
}

function isAccepted({ pepAcceptance }: ComplianceRecord, today: string): boolean {
  return pepAcceptance !== undefined && today <= pepAcceptance.until;
}

function riskOf(
  { risk, isRiskEvaluated, updatedAtMs }: ComplianceRecord,
  today: string,
): RiskEvaluation | undefined {
  if (risk !== undefined && isAhead(risk.date, today)) return undefined;
  if (risk !== undefined || isRiskEvaluated !== true) return risk;
  return { date: new Date(updatedAtMs).toISOString().slice(0, 10) };
}

/** Returns the day `months` after `day`, clamped to the end of that month; 9999-12-31 at most. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  const found = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  return found.getUTCFullYear() > 9999 ? '9999-12-31' : found.toISOString().slice(0, 10);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
