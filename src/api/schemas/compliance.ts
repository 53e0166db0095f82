import { Type } from '@sinclair/typebox';
import { complianceTypes } from '../../domain/compliance/index.ts';
import { named, oneOf } from './shared.ts';

const date = Type.Union([Type.String(), Type.Null()], { description: 'YYYY-MM-DD.' });

const requirementSchema = named('ComplianceRequirement', {
  compliance_type: oneOf(complianceTypes),
  answered_date: date,
  next_date: date,
  flow_key: Type.Union([Type.String(), Type.Null()], { description: 'The requesting flow.' }),
});

const members = {
  status: oneOf(['compliant', 'not_compliant']),
  status_messages: Type.Array(Type.String()),
  requirements: Type.Array(requirementSchema),
  is_compliant: Type.Boolean(),
};

/** Compliance status of a person. */
export const individualStatus = named('IndividualComplianceStatus', {
  pep_found: Type.Boolean(),
  ...members,
});
/** Compliance status of a business. */
export const businessStatus = named('BusinessComplianceStatus', members);
