import { defined } from '../../../base/defined.ts';
import type { Company } from '../../../domain/company.ts';
import { command, mailAddress, withOptionNames } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { minute } from '../../process-report/index.ts';
import { useCompanies } from '../../use-service.ts';
import { companyKey } from './key.ts';
import { companyLogo } from './logo.ts';
import { companyOrigin } from './origin.ts';
import { companyQuota } from './quota.ts';
import { companyTrial, companyUpdate, companyUser, noCompany } from './settings.ts';

const companyCreate = command('company create', {
  summary: 'create a company',
  description: 'Create a company with its first flow and its keys.',
  options: {
    '--name <name>': { text: 'name of the company', required: true },
    '--ssn <number>': 'national number of the company',
    '--user <e-mail>': { text: 'first user of the company', ...mailAddress },
  },
  help: [
    'The API key and the webhook signature key are printed once and are not stored in readable ' +
      'form. With several companies, select one with --company KEY or INNSIGLI_COMPANY.',
  ],
  examples: {
    'innsigli company create --name "Beta ehf." --user me@beta.example': 'a second',
  },
  exits: {
    0: 'made',
    1: 'stdout is closed or /dev/null: no company was created',
    2: 'a value is missing or invalid',
  },
  check({ name }) {
    if (name.trim() === '') refuseUsage('--name: expected a name, found none');
  },
  run: (request, context) =>
    useCompanies(
      context,
      (service) =>
        withOptionNames({ name: '--name', ssn: '--ssn' }, () =>
          service.createCompany(defined(request)),
        ),
      false,
    ),
  undo: async ({ company: { key }, apiKeyId }, context) => {
    await useCompanies(context, async (service) => {
      await (await service.open(key)).revokeApiKey(apiKeyId);
    });
    return `company ${key} was created and its API key revoked, because it could not be shown`;
  },
  document: ({ company, ...keys }) => ({ company: companyDocument(company), ...keys }),
  text: async ({ company, apiKey, webhookSignatureKey }, { console }) => {
    const { green } = await console.style('stderr');
    console.note(
      `${green('✓')} Created the company ${printable(company.name)}; its keys are shown only now:`,
    );
    console.result([
      `company: ${company.key}`,
      `api-key: ${apiKey}`,
      `webhook-signature-key: ${webhookSignatureKey}`,
    ]);
  },
});

const companyList = command('company list', {
  summary: 'list companies',
  description: 'List the companies of the data directory.',
  examples: { 'innsigli company list': 'keys and names' },
  exits: { 0: 'listed (the list may be empty)' },
  run: (_, context) =>
    useCompanies(context, async (service) => ({ companies: await service.companies() })),
  document: ({ companies }) => ({ companies: companies.map(companyDocument) }),
  text: async ({ companies }, { console }) => {
    const { bold, dim } = await console.style('stdout');
    const lines = companies.map(
      ({ key, name, createdAtMs }) =>
        `${bold(printable(key))}  ${dim(minute(createdAtMs))}  ${printable(name)}`,
    );
    if (lines.length > 0) console.result(lines);
    else console.note('there is no company: create one with innsigli init');
  },
});

const companyShow = command('company show', {
  summary: 'show a company with its users, origins and API keys',
  description: 'Show a company: the one named by --company, or the only one.',
  examples: { 'innsigli company show': 'users, origins and IDs of API keys' },
  exits: { 0: 'shown', 5: noCompany },
  call: async (service) => ({ company: service.company, ...(await service.access()) }),
  document: ({ company, users, origins, apiKeys }) => ({
    company: {
      ...companyDocument(company),
      users: users.map(({ email, name }) => ({ email, name })),
      origins,
      apiKeys: apiKeys.map(({ id, label, createdAtMs, scopes, expiresAtMs }) => ({
        id,
        label,
        createdAt: isoTime(createdAtMs),
        scopes,
        expiresAt: isoTime(expiresAtMs),
      })),
    },
  }),
  text: async ({ company, users, origins, apiKeys }, { console }) => {
    const { bold, dim } = await console.style('stdout');
    const { signeeIdentity, timeZone } = company;
    console.result([
      `${bold(printable(company.key))}  ${printable(company.name)}`,
      dim(`  created ${minute(company.createdAtMs)}${trialText(company)}`),
      ...(signeeIdentity === undefined ? [] : [`  signeeIdentity ${signeeIdentity}`]),
      ...(timeZone === undefined ? [] : [`  timeZone ${timeZone}`]),
      ...users.map(({ email, name }) => `  user ${printable(email)}  ${printable(name)}`),
      ...origins.map((origin) => `  origin ${printable(origin)}`),
      ...apiKeys.map(
        ({ id, label, createdAtMs, scopes, expiresAtMs }) =>
          `  API key ${printable(id)}  ${dim(minute(createdAtMs))}  ${printable(label)}` +
          (scopes === undefined ? '' : `  ${scopes.join(', ')}`) +
          (expiresAtMs === undefined ? '' : `  ${dim(`until ${minute(expiresAtMs)}`)}`),
      ),
    ]);
  },
});

/** `company` with its commands. */
export const company = command('company', {
  description: 'Create and list companies and API keys.',
  commands: [
    companyCreate,
    companyList,
    companyShow,
    companyUpdate,
    companyKey,
    companyOrigin,
    companyTrial,
    companyUser,
    companyLogo,
    companyQuota,
  ],
});

function trialText({ trialEndsAtMs }: Pick<Company, 'trialEndsAtMs'>): string {
  return trialEndsAtMs === undefined ? '' : `, on trial until ${minute(trialEndsAtMs)}`;
}

function companyDocument(company: Company): object {
  const { key, name, createdAtMs, trialEndsAtMs, ...rest } = company;
  const { signeeIdentity, timeZone, compliance } = rest;
  const [createdAt, trialEndsAt] = [isoTime(createdAtMs), isoTime(trialEndsAtMs)];
  return { key, name, createdAt, trialEndsAt, signeeIdentity, timeZone, compliance };
}

function isoTime(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}
