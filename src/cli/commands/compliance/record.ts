import type { RequirementRequest } from '../../../app/compliance/index.ts';
import { command, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';

const requirementOf = reading((text, flag): RequirementRequest => {
  const [type = '', answeredDate, nextDate, ...more] = text.split(':');
  if (more.length === 0) return { type, answeredDate, nextDate };
  return refuseUsage(`${flag}: expected TYPE:ANSWERED:NEXT, found "${text.slice(0, 60)}"`);
});

const example =
  "innsigli compliance record --name 'Jón Jónsson' --ssn 0101901239 --risk-evaluated " +
  '--requirement PEP:2026-01-31:2027-01-31';

/** Writes a record of the compliance register. */
export const complianceRecord = command('compliance record', {
  summary: 'record the compliance of a person or business',
  description: 'Record the compliance of a person or business; it replaces an earlier record.',
  options: {
    '--name <name>': { text: 'name of the person or business', required: true },
    '--business': 'a business, not a person',
    '--ssn <number>': 'national number',
    '--email <address>': 'e-mail address',
    '--phone <number>': 'phone number',
    '--pep-found': 'the person is on a list of politically exposed persons',
    '--risk-evaluated': 'the risk has been checked',
    '--requirement <type:answered:next>': {
      text: 'PEP, AML or MIFID, with two dates that may be empty; can be repeated',
      ...requirementOf,
      many: true,
    },
    '--flow-key <key>': 'flow with which the requirements are answered',
  },
  help: [
    'A person is found by national number, by e-mail together with phone, or by one of them ' +
      'if no other person has it; a business by number or name.',
  ],
  examples: {
    [example]: 'compliant for a year',
  },
  exits: { 0: 'recorded', 2: 'a value is missing or wrong' },
  names: () => ({ phoneNumber: '--phone', requirements: '--requirement' }),
  check({ flowKey, requirement }) {
    if (flowKey !== undefined && requirement === undefined) {
      refuseUsage('--flow-key: expected --requirement with it, found none');
    }
  },
  call: async ({ compliance }, given, { console }) => {
    const { business, requirement = [], flowKey, phone: phoneNumber, ...request } = given;
    const kind = business ? 'business' : 'person';
    const requirements = requirement.map((each) => ({ ...each, flowKey }));
    await compliance.record({ ...request, kind, phoneNumber, requirements });
    const { ssn, email } = request;
    if (kind === 'person' && (ssn ?? email ?? phoneNumber) === undefined) {
      const message = 'a name alone finds no person: add --ssn, --email or --phone';
      await console.warn(message, 'compliance.unreachable');
    }
    return { kind };
  },
  text: (_, { console }) => console.note('recorded'),
});
