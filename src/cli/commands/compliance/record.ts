import type { ComplianceRequest, RequirementRequest } from '../../../app/compliance/index.ts';
import { riskLevels } from '../../../domain/compliance/index.ts';
import { command, oneOf, reading } from '../../command/index.ts';
import { type CommandContext, refuseUsage, type ServiceContext } from '../../context.ts';
import type { Kind } from './subject.ts';

const requirementOf = reading((text, flag): RequirementRequest => {
  const [type = '', answeredDate, nextDate, ...more] = text.split(':');
  if (more.length === 0) return { type, answeredDate, nextDate };
  return refuseUsage(`${flag}: expected TYPE:ANSWERED:NEXT, found "${text.slice(0, 60)}"`);
});

const contactOptions = {
  '--name <name>': { text: 'name of the person or business', required: true },
  '--ssn <number>': 'national number',
  '--email <address>': 'e-mail address',
  '--phone <number>': 'phone number',
} as const;

const pepOptions = {
  '--pep-found': 'the person is on a list of politically exposed persons',
  '--pep-cleared': 'the person is not, or no longer, on such a list',
} as const;

const ownerOptions = {
  '--owner <number>': {
    text: 'national number of a beneficial owner; repeatable',
    many: true,
  },
} as const;

const factOptions = {
  '--risk-evaluated': 'the risk was evaluated',
  '--risk-level <level>': { text: riskLevels.join(', '), ...oneOf(riskLevels) },
  '--requirement <type:answered:next>': {
    text: 'PEP, AML or MIFID, with two dates that may be empty; repeatable',
    ...requirementOf,
    many: true,
  },
  '--flow-key <key>': 'flow used to answer the requirements',
} as const;

const help = [
  'A person is identified by national number, by e-mail together with phone, or by one of them ' +
    'if no other person has it; a business by number or name. Values that are not given stay ' +
    'as recorded.',
];

const exits = { 0: 'recorded', 2: 'a value is missing or invalid' } as const;

const names = ({ requirement = [] }: Pick<Given, 'requirement'>) => ({
  phoneNumber: '--phone',
  requirements: '--requirement',
  owners: '--owner',
  ...Object.fromEntries(requirement.flatMap((_, at) => namesOfRequirement(`requirements[${at}]`))),
});

/** The parts of an option have no names, so errors describe them. */
function namesOfRequirement(at: string): readonly (readonly [string, string])[] {
  return [
    [`${at}.type`, '--requirement'],
    [`${at}.answeredDate`, '--requirement, date of the answer'],
    [`${at}.nextDate`, '--requirement, date of the next one'],
  ];
}

interface Given extends Pick<ComplianceRequest, 'name' | 'ssn' | 'email' | 'riskLevel'> {
  readonly phone: string | undefined;
  readonly pepFound?: true | undefined;
  readonly pepCleared?: true | undefined;
  readonly owner?: readonly string[] | undefined;
  readonly riskEvaluated: true | undefined;
  readonly requirement: readonly RequirementRequest[] | undefined;
  readonly flowKey: string | undefined;
}

function check({ flowKey, requirement, pepFound, pepCleared }: Given): void {
  if (flowKey !== undefined && requirement === undefined) {
    refuseUsage('--flow-key: expected --requirement with it, found none');
  }
  if (pepFound && pepCleared) refuseUsage('expected --pep-found or --pep-cleared, found both');
}

async function record(
  kind: Kind,
  compliance: { record(request: ComplianceRequest): Promise<void> },
  { phone: phoneNumber, pepFound, pepCleared, owner: owners, flowKey, ...given }: Given,
  { console }: ServiceContext,
) {
  const { requirement = [], name, ssn, email, riskEvaluated, riskLevel } = given;
  const requirements = requirement.map((each) => ({ ...each, flowKey }));
  const found = pepCleared ? false : pepFound;
  const facts = { pepFound: found, riskEvaluated, riskLevel, owners, requirements };
  await compliance.record({ kind, name, ssn, email, phoneNumber, ...facts });
  if (kind === 'person' && (ssn ?? email ?? phoneNumber) === undefined) {
    const message = 'a name alone does not identify a person: add --ssn, --email or --phone';
    await console.warn(message, 'compliance.unreachable');
  }
  return { kind };
}

const shared = {
  help,
  exits,
  names,
  check,
  text: (_: object, { console }: CommandContext) => console.note('recorded'),
} as const;

const example =
  "--name 'Jón Jónsson' --ssn 0101901239 --risk-evaluated " +
  '--requirement PEP:2026-01-31:2027-01-31';

/** Records a person. */
export const recordPerson = command('compliance individual record', {
  summary: 'record the compliance of a person',
  description: 'Record the compliance data of a person.',
  options: { ...contactOptions, ...pepOptions, ...factOptions },
  examples: { [`innsigli compliance individual record ${example}`]: 'compliant for a year' },
  ...shared,
  call: ({ compliance }, given, context) => record('person', compliance, given, context),
});

/** Records a business. */
export const recordBusiness = command('compliance business record', {
  summary: 'record the compliance of a business',
  description: 'Record the compliance data of a business.',
  options: { ...contactOptions, ...ownerOptions, ...factOptions },
  examples: {
    "innsigli compliance business record --name 'Dæmi ehf.' --owner 0101901239":
      'takes a politically exposed owner into account',
  },
  ...shared,
  call: ({ compliance }, given, context) => record('business', compliance, given, context),
});

/** The same command under its earlier name. */
export const complianceRecord = command('compliance record', {
  summary: 'record the compliance of a person or business',
  description: 'Record the compliance data of a person or business.',
  options: {
    '--business': 'a business, not a person',
    ...contactOptions,
    ...pepOptions,
    ...ownerOptions,
    ...factOptions,
  },
  examples: { [`innsigli compliance record ${example}`]: 'compliant for a year' },
  ...shared,
  call: ({ compliance }, { business, ...given }, context) =>
    record(business ? 'business' : 'person', compliance, given, context),
});
