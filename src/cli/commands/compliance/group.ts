import { command } from '../../command/index.ts';
import { acceptCommand, evaluateCommand } from './change.ts';
import { complianceImport, importCommand } from './import.ts';
import { dueCommand, showCommand } from './look.ts';
import { complianceRecord, recordBusiness, recordPerson } from './record.ts';
import { complianceStatus, statusCommand } from './status.ts';

const individual = command('compliance individual', {
  summary: 'compliance of persons',
  description: 'Record and look up the compliance of persons.',
  commands: [
    ...[statusCommand('person'), recordPerson, importCommand('person')],
    ...[evaluateCommand('person'), acceptCommand, showCommand('person'), dueCommand('person')],
  ],
});

const business = command('compliance business', {
  summary: 'compliance of businesses',
  description: 'Record and look up the compliance of businesses.',
  commands: [
    ...[statusCommand('business'), recordBusiness, importCommand('business')],
    ...[evaluateCommand('business'), showCommand('business'), dueCommand('business')],
  ],
});

/** `compliance` with its commands. */
export const compliance = command('compliance', {
  description: 'Manage the compliance register of the company.',
  commands: [individual, business, complianceRecord, complianceImport, complianceStatus],
});
