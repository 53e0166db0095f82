import { companySettings } from '../../../domain/company.ts';
import { command, endTime, reading, setting } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { minute } from '../../process-report/index.ts';

/** Meaning of exit code 5 for commands of one company. */
export const noCompany = 'no such company, or several and none was named';

/** Changes settings of a company and prints the settings that have a value. */
export const companyUpdate = command('company update', {
  summary: 'change settings of a company',
  description: 'Change the company settings, which apply to flows without their own.',
  options: {
    '--set <name=value>': {
      text: 'a setting; repeatable; null restores its default',
      ...setting,
      many: true,
    },
  },
  help: [
    'signeeIdentity decides who may log in as a signee for whom the sender gave no number: ' +
      'no one (number), a person of that name (name, the default), or anyone (anybody). It ' +
      'applies to new processes; the setting of a flow takes precedence.',
    'timeZone is the time zone of evidence and mails, such as Europe/Prague (default: UTC), of ' +
      'new processes, too; the setting of a flow takes precedence.',
    'compliance states, as JSON, what customers must answer and how often: for person and ' +
      'business the assessments required (PEP, AML, MIFID; default: those of each record), the ' +
      'months until each is due again, and riskMonths until the risk is evaluated again, by ' +
      'level of risk (default: low 36, medium 24, high 12).',
  ],
  examples: {
    'innsigli company update --set signeeIdentity=number': 'logins by number only',
    'innsigli company update --set timeZone=Europe/Prague': 'evidence shows local time',
    'innsigli company update --set \'compliance={"person": {"required": ["PEP", "AML"]}}\'':
      'both for every person',
  },
  exits: { 0: 'changed', 2: 'a setting is unknown or invalid', 5: noCompany },
  check({ set }) {
    if (set === undefined) refuseUsage('--set: expected a setting, found none');
  },
  names: ({ set = [] }) => Object.fromEntries(set.map(([name]) => [name, `--set ${name}`])),
  call: async (service, { set = [] }) => {
    const company = await service.change(Object.fromEntries(set));
    const settings = companySettings.map((name) => [name, company[name] ?? null] as const);
    return { company: { key: company.key, settings: Object.fromEntries(settings) } };
  },
  text: ({ company }, { console }) => {
    const settings = Object.entries(company.settings);
    const shown = (value: unknown) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? 'default');
    console.result(settings.map(([name, value]) => printable(`${name}: ${shown(value)}`)));
  },
});

/** Sets the end of the trial of a company. */
export const companyTrial = command('company trial', {
  summary: 'set when the trial of a company ends',
  description: 'Set the end of the trial of a company, or remove it.',
  options: {
    '--until <time>': {
      text: '2027-01-31, 2027-01-31T12:00Z, 30d, or none',
      ...reading((text, name, context) =>
        text === 'none' ? null : endTime.read(text, name, context),
      ),
      required: true,
    },
  },
  help: [
    'After the end, no new processes are accepted and no signee can log in (error 10101); signed ' +
      'documents stay. A day ends at midnight UTC.',
  ],
  examples: {
    'innsigli company trial --until 30d': '30 days from now',
    'innsigli company trial --until none': 'no trial',
  },
  exits: { 0: 'set', 2: 'the time is missing or invalid', 5: noCompany },
  call: async (service, { until }) => service.setTrial(until ?? undefined),
  document: ({ key }, { until }) => ({
    key,
    trialEndsAt: until === null ? null : new Date(until).toISOString(),
  }),
  text: ({ name }, { console }, { until }) => {
    const what = until === null ? 'is not on trial' : `is on trial until ${minute(until)}`;
    console.note(`${printable(name)} ${what}`);
  },
});

/** Stores the name of a user. */
export const companyUser = command('company user', {
  summary: 'name a user of a company',
  description: 'Set the name of a user of a company, for mails and evidence.',
  args: { '<e-mail>': 'address of the user, as used in processes' },
  options: { '--name <name>': { text: 'full name', required: true } },
  help: [
    'Mails of processes that the user has sent come from that person of the company, and their ' +
      'evidence names the person. Without a name the address is used.',
  ],
  examples: {
    'innsigli company user eva@example.is --name "Eva Jónsdóttir"': 'the sender has a name',
  },
  exits: { 0: 'kept', 2: 'the address or the name is invalid', 5: noCompany },
  names: () => ({ email: 'e-mail' }),
  call: async (service, { 'e-mail': address, name: given }) => {
    const { email, name } = await service.nameUser({ email: address, name: given });
    return { user: { email, name } };
  },
  text: ({ user }, { console }) =>
    console.note(`${printable(user.email)} is ${printable(user.name)}`),
});
