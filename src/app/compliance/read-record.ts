import { defined } from '../../base/defined.ts';
import { invalid, refuseWord } from '../../base/input.ts';
import { dayFault, isDay } from '../../base/time/day.ts';
import {
  type ComplianceRecord,
  type ComplianceType,
  complianceTypes,
  isAhead,
  type Requirement,
  type RiskEvaluation,
  type RiskLevel,
  riskLevels,
} from '../../domain/compliance/index.ts';
import { digitsOf, normalPhone } from '../../domain/person/index.ts';

/** One assessment of a request. */
export interface RequirementRequest {
  /** `PEP`, `AML` or `MIFID`, in any letter case. */
  readonly type: string;
  readonly answeredDate?: string | undefined;
  readonly nextDate?: string | undefined;
  readonly flowKey?: string | undefined;
}

/** Request to record a person or business. */
export interface ComplianceRequest {
  readonly kind: 'person' | 'business';
  readonly name: string;
  readonly ssn?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** True: on a list of politically exposed persons; false: not, or no longer. */
  readonly pepFound?: boolean | undefined;
  /** False withdraws an earlier evaluation. */
  readonly riskEvaluated?: boolean | undefined;
  /** `low`, `medium` or `high`, in any letter case; implies that the risk was evaluated. */
  readonly riskLevel?: string | undefined;
  /** Date of the evaluation, `YYYY-MM-DD`. Default: today. */
  readonly riskDate?: string | undefined;
  /** Last day on which it is valid, `YYYY-MM-DD`. Default: by the period of the company. */
  readonly riskUntil?: string | undefined;
  /** National numbers of the beneficial owners of a business. */
  readonly owners?: readonly string[] | undefined;
  readonly requirements?: readonly RequirementRequest[] | undefined;
}

const TEXT_MAX = 400;
const REQUIREMENTS_MAX = 50;
const OWNERS_MAX = 100;

/** The validated data of a request; members that it does not contain are absent. */
export interface CheckedRecord
  extends Omit<
    ComplianceRecord,
    'id' | 'companyKey' | 'updatedAtMs' | 'pepFound' | 'pepAcceptance' | 'risk' | 'changes'
  > {
  readonly pepFound?: boolean;
  /** Without a date: evaluated at an unspecified time; null: not, or no longer. */
  readonly risk?: Partial<RiskEvaluation> | null;
}

/**
 * Validates a request.
 *
 * @param today no event may be dated later
 * @throws validation.error
 */
export function readRecord(request: ComplianceRequest, today: string): CheckedRecord {
  const { kind, requirements = [] } = request;
  const name = request.name.trim();
  if (name === '' || name.length > TEXT_MAX) invalid('name', 'expected a name');
  if (requirements.length > REQUIREMENTS_MAX) {
    invalid('requirements', `expected at most ${REQUIREMENTS_MAX}`);
  }
  const ssn = given(request.ssn, 'ssn');
  if (ssn !== undefined && digitsOf(ssn).length !== 10) invalid('ssn', 'expected ten digits');
  const email = given(request.email, 'email');
  const phoneNumber = given(request.phoneNumber, 'phoneNumber');
  // Text such as "none" identifies no one: all records with it would become one person.
  if (email !== undefined && !isEmail(email)) invalid('email', 'expected one with @');
  if (phoneNumber !== undefined && !isPhone(phoneNumber)) {
    invalid('phoneNumber', 'expected one with digits');
  }
  const contactKey = contactKeyOf(email, phoneNumber);
  return {
    kind,
    name,
    nameKey: nameKeyOf(name),
    ...defined({
      ssn: ssn && digitsOf(ssn),
      ...{ email, phoneNumber, contactKey },
      emailKey: email && emailKeyOf(email),
      phoneKey: phoneNumber && normalPhone(phoneNumber),
      pepFound: kind === 'person' ? request.pepFound : false,
      risk: readRisk(request, today),
      owners: readOwners(request),
    }),
    requirements: requirements.map((each, at) => readRequirement(each, at, today)),
  };
}

function readRisk(
  request: ComplianceRequest,
  today: string,
): Partial<RiskEvaluation> | null | undefined {
  const level = given(request.riskLevel, 'riskLevel')?.toLowerCase() as RiskLevel | undefined;
  if (level !== undefined && !riskLevels.includes(level)) {
    refuseWord('riskLevel', riskLevels, request.riskLevel);
  }
  const date = readPast(given(request.riskDate, 'riskDate'), 'riskDate', today);
  const until = readDate(given(request.riskUntil, 'riskUntil'), 'riskUntil');
  const risk = defined({ level, date, until });
  const isSaid = Object.keys(risk).length > 0;
  if (request.riskEvaluated === false) {
    if (isSaid) invalid('riskEvaluated', 'expected yes with a level or date, found no');
    return null;
  }
  return isSaid || request.riskEvaluated === true ? risk : undefined;
}

function readOwners({ kind, owners }: ComplianceRequest): readonly string[] | undefined {
  if (owners === undefined) return undefined;
  if (kind === 'person') invalid('owners', 'expected of a business only');
  if (owners.length > OWNERS_MAX) invalid('owners', `expected at most ${OWNERS_MAX}`);
  return owners.map((owner, at) => {
    const digits = digitsOf(owner);
    return digits.length === 10 ? digits : invalid(`owners[${at}]`, 'expected ten digits');
  });
}

/** Normalises a name: letter case and white space are insignificant. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Normalises an e-mail address. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

/** True for a plausible e-mail address. */
export function isEmail(text: string): boolean {
  return /[^@\s]@[^@\s]/.test(text);
}

/** True for a plausible phone number. */
export function isPhone(text: string): boolean {
  return /\d/.test(normalPhone(text));
}

/** Normalised e-mail and phone; undefined if either is missing. */
export function contactKeyOf(
  email: string | undefined,
  phone: string | undefined,
): string | undefined {
  if (email === undefined || phone === undefined) return undefined;
  return `${emailKeyOf(email)} ${normalPhone(phone)}`;
}

function readRequirement(request: RequirementRequest, index: number, today: string): Requirement {
  const at = `requirements[${index}]`;
  const wanted = request.type.trim().toUpperCase() as ComplianceType;
  if (!complianceTypes.includes(wanted)) {
    const found = request.type.slice(0, 40);
    invalid(`${at}.type`, `expected one of ${complianceTypes.join(', ')}, found "${found}"`);
  }
  const answeredDate = readPast(
    given(request.answeredDate, `${at}.answeredDate`),
    `${at}.answeredDate`,
    today,
  );
  const nextDate = readDate(given(request.nextDate, `${at}.nextDate`), `${at}.nextDate`);
  const flowKey = given(request.flowKey, `${at}.flowKey`);
  return { type: wanted, ...defined({ answeredDate, nextDate, flowKey }) };
}

function readPast(text: string | undefined, field: string, today: string): string | undefined {
  const day = readDate(text, field);
  if (day === undefined || !isAhead(day, today)) return day;
  return invalid(field, `expected ${today} or earlier, found ${day}`);
}

function readDate(text: string | undefined, field: string): string | undefined {
  if (text === undefined) return undefined;
  return isDay(text) ? text : invalid(field, dayFault(text));
}

function given(text: string | undefined, field: string): string | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length > TEXT_MAX) invalid(field, `expected at most ${TEXT_MAX} characters`);
  return trimmed === '' ? undefined : trimmed;
}
