import { defined } from '../../base/defined.ts';
import {
  type ComplianceChange,
  type ComplianceRecord,
  type ComplianceSource,
  isAhead,
  type Requirement,
  type RiskEvaluation,
} from '../../domain/compliance/index.ts';
import { type CheckedRecord, contactKeyOf } from './read-record.ts';

/** Maximum number of changes stored per record. */
const CHANGES_KEPT = 500;

/**
 * Merges a request into a record. Members absent from the request keep their values, so that
 * importing a customer list never loses findings that it does not contain.
 */
export function mergeRecord(
  before: ComplianceRecord | undefined,
  record: CheckedRecord,
  source: ComplianceSource,
  own: Pick<ComplianceRecord, 'id' | 'companyKey' | 'updatedAtMs'>,
): ComplianceRecord {
  const { pepFound = before?.pepFound ?? false, risk: _, ...said } = record;
  const { pepAcceptance, risk: _risk, isRiskEvaluated: _was, ...rest } = before ?? {};
  const today = new Date(own.updatedAtMs).toISOString().slice(0, 10);
  const risk = mergeRisk(before, record, source, today);
  // A flow has the data entered by its sender: existing data of the register takes precedence.
  const known = source === 'flow' ? { ...said, ...rest } : { ...rest, ...said };
  const contactKey = contactKeyOf(known.email, known.phoneNumber);
  const next: ComplianceRecord = {
    ...{ ...known, ...own, pepFound, ...defined({ contactKey }) },
    requirements: mergeRequirements(before?.requirements ?? [], record.requirements, today),
    ...defined({ risk }),
    // An acceptance applies to an earlier finding: a new finding requires a new acceptance.
    ...(pepFound && before?.pepFound === true && pepAcceptance ? { pepAcceptance } : {}),
  };
  return withChange(before, next, source);
}

function mergeRisk(
  before: ComplianceRecord | undefined,
  { risk }: CheckedRecord,
  source: ComplianceSource,
  today: string,
): RiskEvaluation | undefined {
  if (risk === null) return undefined;
  const stored = before?.risk ?? earlierRisk(before);
  if (risk === undefined) return stored;
  const known = stored !== undefined && isAhead(stored.date, today) ? undefined : stored;
  const { date, level, until } = risk;
  // A nightly import that says "evaluated" is not a new evaluation every night.
  const isRepeated =
    source === 'import' && known !== undefined && date === undefined && until === undefined;
  if (isRepeated && (level === undefined || level === known.level)) return known;
  return {
    date: date ?? today,
    ...defined({ level, until }),
  };
}

function earlierRisk(before: ComplianceRecord | undefined): RiskEvaluation | undefined {
  if (before?.isRiskEvaluated !== true) return undefined;
  return { date: new Date(before.updatedAtMs).toISOString().slice(0, 10) };
}

/** Requirements of both; for the same type those of the request, with the later answer. */
function mergeRequirements(
  before: readonly Requirement[],
  wanted: readonly Requirement[],
  today: string,
): readonly Requirement[] {
  const types = new Set(wanted.map(({ type }) => type));
  const kept = before.filter(({ type }) => !types.has(type));
  const merged = wanted.map((requirement) => {
    const same = before.filter(({ type }) => type === requirement.type);
    const [only] = same;
    const isOne =
      same.length === 1 && wanted.filter(({ type }) => type === requirement.type).length === 1;
    return isOne && only !== undefined ? mergeRequirement(only, requirement, today) : requirement;
  });
  return [...kept, ...merged];
}

// An older answer never replaces a newer one; an answer dated in the future is invalid.
function mergeRequirement(
  before: Requirement,
  requirement: Requirement,
  today: string,
): Requirement {
  const { flowKey, answeredDate: known } = before;
  const isMistaken = known !== undefined && isAhead(known, today);
  const answeredDate = isMistaken && requirement.answeredDate !== undefined ? undefined : known;
  const isNewer = (requirement.answeredDate ?? '') > (answeredDate ?? '');
  if (isNewer) return { ...defined({ flowKey }), ...requirement };
  return { ...before, ...requirement, ...defined({ answeredDate }) };
}

/** Returns `next` with the change recorded, or `before` itself if nothing differs. */
export function withChange(
  before: ComplianceRecord | undefined,
  next: ComplianceRecord,
  source: ComplianceSource,
): ComplianceRecord {
  const { changes = [] } = before ?? {};
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(next)]);
  const changed = [...names].filter(
    (name) => !unnoted.has(name) && textOf(before, name) !== textOf(next, name),
  );
  if (before !== undefined && changed.length === 0) return before;
  const change: ComplianceChange = {
    ...{ atMs: next.updatedAtMs, source },
    changed: Object.fromEntries(
      changed.map((name) => [name, next[name as keyof ComplianceRecord] ?? null]),
    ),
  };
  return { ...next, changes: [...changes, change].slice(-CHANGES_KEPT) };
}

const unnoted: ReadonlySet<string> = new Set([
  ...['id', 'companyKey', 'changes', 'updatedAtMs', 'contactKey', 'emailKey', 'phoneKey'],
  ...['nameKey', 'isRiskEvaluated'],
]);

function textOf(record: ComplianceRecord | undefined, name: string): string | undefined {
  return JSON.stringify(record?.[name as keyof ComplianceRecord]);
}
