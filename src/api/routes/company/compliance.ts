import { Type } from '@sinclair/typebox';
import { complianceOperations } from '../../../app/compliance/index.ts';
import type { ComplianceStatus } from '../../../domain/compliance/index.ts';
import type { ApiApp } from '../../route.ts';
import { businessStatus, individualStatus, text } from '../../schemas/index.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Compliance', access: 'company' });

/** Adds the routes that report the compliance status of persons and businesses. */
export function registerCompliance(app: ApiApp): void {
  add(app, 'GET', '/management/compliances/individuals/status', {
    summary: 'Get the compliance status of a person',
    description:
      'Reports whether the record of the person is complete, up to date and ' +
      'answered. A person without a record gets 404, and so does a request without a person. ' +
      'An e-mail address or phone number shared by several persons gets 400.',
    query: Type.Object({
      Ssn: text('National number; takes precedence over the others.'),
      Email: text('E-mail address, alone or with Phone.'),
      Phone: text('Phone number, alone or with Email.'),
    }),
    answers: { 200: { description: 'The status of the person.', schema: individualStatus } },
    errors: complianceOperations.status.errors,
    handle: async ({ query: { Ssn: ssn, Email: email, Phone }, company }) => {
      // An unescaped plus in a query is decoded as a space.
      const phone = Phone?.replace(/^ (?=\d)/, '+');
      const status = await company.compliance.status('person', { ssn, email, phone });
      return { pep_found: status.pepFound, ...showStatus(status) };
    },
  });
  add(app, 'GET', '/management/compliances/businesses/status', {
    summary: 'Get the compliance status of a business',
    description:
      'As for persons. A business without a record gets 404, a name shared by several gets 400.',
    query: Type.Object({
      Ssn: text('National number; takes precedence over the others.'),
      Name: text('Name of the business.'),
    }),
    answers: { 200: { description: 'The status of the business.', schema: businessStatus } },
    errors: complianceOperations.status.errors,
    handle: async ({ query: { Ssn: ssn, Name: name }, company }) => {
      return showStatus(await company.compliance.status('business', { ssn, name }));
    },
  });
}

function showStatus({ isCompliant, messages, requirements }: ComplianceStatus): object {
  return {
    status: isCompliant ? 'compliant' : 'not_compliant',
    status_messages: messages,
    requirements: requirements.map(({ type, answeredDate, nextDate, flowKey }) => ({
      compliance_type: type,
      answered_date: answeredDate ?? null,
      next_date: nextDate ?? null,
      flow_key: flowKey ?? null,
    })),
    is_compliant: isCompliant,
  };
}
