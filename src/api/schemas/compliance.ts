import { type TSchema, Type } from '@sinclair/typebox';
import { oneOf, ref } from './shared.ts';

const date = Type.Union([Type.String(), Type.Null()], { description: 'YYYY-MM-DD.' });

const requirementSchema = Type.Object(
  {
    compliance_type: oneOf(['PEP', 'AML', 'MIFID']),
    answered_date: date,
    next_date: date,
    flow_key: Type.Union([Type.String(), Type.Null()], { description: 'The flow that asks.' }),
  },
  { $id: 'ComplianceRequirement' },
);

const members = {
  status: oneOf(['compliant', 'not_compliant']),
  status_messages: Type.Array(Type.String()),
  requirements: Type.Array(ref(requirementSchema)),
  is_compliant: Type.Boolean(),
};

const individualSchema = Type.Object(
  { pep_found: Type.Boolean(), ...members },
  { $id: 'IndividualComplianceStatus' },
);
const businessSchema = Type.Object(members, { $id: 'BusinessComplianceStatus' });

/** Get the compliance status of a person. */
export const individualStatus = ref(individualSchema);
/** Get the compliance status of a business. */
export const businessStatus = ref(businessSchema);

/** Schemas with a name. */
export const complianceSchemas: readonly TSchema[] = [
  requirementSchema,
  individualSchema,
  businessSchema,
];
