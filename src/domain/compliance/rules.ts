import { integer, isRecord, oneOf, refuse } from '../../base/input.ts';

/** Kinds of assessment that may be required of a person or business. */
export const complianceTypes = ['PEP', 'AML', 'MIFID'] as const;

/** One of {@link complianceTypes}. */
export type ComplianceType = (typeof complianceTypes)[number];

/** Levels of risk. The higher the level, the sooner everything is due again. */
export const riskLevels = ['low', 'medium', 'high'] as const;

/** One of {@link riskLevels}. */
export type RiskLevel = (typeof riskLevels)[number];

/** Months by level of risk, 1 to 120. */
export type Periods = Readonly<Record<RiskLevel, number>>;

/** What a company requires of persons, or of businesses. */
export interface SubjectRules {
  /** Assessments required of each of them. */
  readonly required: readonly ComplianceType[];
  /** Months until an assessment is due again. */
  readonly months: Readonly<Record<ComplianceType, Periods>>;
  /** Months for which a risk evaluation is valid. */
  readonly riskMonths: Periods;
}

/** Compliance rules of a company. */
export interface ComplianceRules {
  readonly person: SubjectRules;
  readonly business: SubjectRules;
}

// No law fixes these periods; these are common ones.
const usualPeriods: Periods = { low: 36, medium: 24, high: 12 };

const usualRules = {
  months: { PEP: usualPeriods, AML: usualPeriods, MIFID: usualPeriods },
  riskMonths: usualPeriods,
} as const;

const usualSubject: SubjectRules = { required: [], ...usualRules };

/**
 * Rules of a company that has set none: the assessments named in a record are required, and a risk
 * evaluation of every person and business.
 */
export const usualComplianceRules: ComplianceRules = {
  person: usualSubject,
  business: usualSubject,
};

const type = oneOf(complianceTypes);
const months = integer(1, 120);

/**
 * Parses rules from JSON; absent members have their default:
 *
 *     { "person": { "required": ["PEP", "AML"], "months": { "PEP": { "high": 6 } },
 *       "riskMonths": { "low": 60 } } }
 *
 * @throws validation.error
 */
export function readComplianceRules(value: unknown, path: string): ComplianceRules {
  const given = membersOf(value, path, ['person', 'business']);
  const rules = (kind: 'person' | 'business') =>
    readSubject(given[kind] ?? {}, `${path}.${kind}`, usualComplianceRules[kind]);
  return { person: rules('person'), business: rules('business') };
}

function readSubject(value: unknown, path: string, usual: SubjectRules): SubjectRules {
  const given = membersOf(value, path, ['required', 'months', 'riskMonths']);
  const ofTypes = membersOf(given['months'] ?? {}, `${path}.months`, complianceTypes);
  const periods = (each: ComplianceType) =>
    readPeriods(ofTypes[each] ?? {}, `${path}.months.${each}`, usual.months[each]);
  return {
    required: readTypes(given['required'] ?? usual.required, `${path}.required`),
    months: { PEP: periods('PEP'), AML: periods('AML'), MIFID: periods('MIFID') },
    riskMonths: readPeriods(given['riskMonths'] ?? {}, `${path}.riskMonths`, usual.riskMonths),
  };
}

function readTypes(value: unknown, path: string): readonly ComplianceType[] {
  if (!Array.isArray(value)) return refuse(path, 'a list', value);
  const types = value.map((each: unknown, at) => type(each, `${path}[${at}]`));
  return complianceTypes.filter((each) => types.includes(each));
}

function readPeriods(value: unknown, path: string, usual: Periods): Periods {
  const given = membersOf(value, path, riskLevels);
  const period = (level: RiskLevel) => months(given[level] ?? usual[level], `${path}.${level}`);
  return { low: period('low'), medium: period('medium'), high: period('high') };
}

/** An object without other members: a misspelt one would silently have no effect. */
function membersOf(value: unknown, path: string, known: readonly string[]) {
  if (!isRecord(value)) return refuse(path, 'an object', value);
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return value;
  return refuse(path, `members ${known.join(', ')}`, other.slice(0, 60));
}
