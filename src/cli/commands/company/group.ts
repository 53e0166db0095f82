import type { Command } from 'commander';
import type { Company } from '../../../domain/company.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { minute } from '../../report/index.ts';
import { useCompanies, useService } from '../../use-service.ts';
import { namingOptions, readUser } from '../option-values.ts';
import { defineCompanyKey } from './key.ts';
import { defineCompanyLogo } from './logo.ts';
import { defineCompanyOrigin } from './origin.ts';
import { defineCompanyQuota } from './quota.ts';
import { defineCompanyTrial } from './trial.ts';
import { defineCompanyUpdate } from './update.ts';
import { defineCompanyUser } from './user.ts';

interface CreateOptions {
  readonly name: string;
  readonly ssn?: string;
  readonly user?: string;
}

/** Adds `company` and its commands to the command tree. */
export function defineCompany(program: Command, start: Start): void {
  const group = program.command('company').summary('companies and their API keys');
  group.description('Make companies and API keys, and list them.').helpCommand(false);
  defineCreate(group, start);
  defineList(group, start);
  defineShow(group, start);
  defineCompanyUpdate(group, start);
  defineCompanyKey(group, start);
  defineCompanyOrigin(group, start);
  defineCompanyTrial(group, start);
  defineCompanyUser(group, start);
  defineCompanyLogo(group, start);
  defineCompanyQuota(group, start);
}

function defineCreate(group: Command, start: Start): void {
  const command = group
    .command('create')
    .summary('make a company')
    .description('Make a company with its first flow and its keys.')
    .requiredOption('--name <name>', 'name of the company')
    .option('--ssn <number>', 'its national number')
    .option('--user <e-mail>', 'its first user');
  documentCommand(command, {
    text: [
      'The API key and the webhook signature key are printed once and are not kept in a readable ' +
        'form. With several companies, --company KEY or INNSIGLI_COMPANY says which one is meant.',
    ],
    examples: [['innsigli company create --name "Beta ehf." --user me@beta.example', 'a second']],
    exits: [
      [0, 'made'],
      [2, 'a value is missing or wrong'],
    ],
  });
  command.action((options: CreateOptions, self: Command) =>
    start(self, (context) => runCompanyCreate(options, context)),
  );
}

function defineList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('list companies')
    .description('List the companies of the data directory.');
  documentCommand(command, {
    examples: [['innsigli company list', 'keys and names']],
    exits: [[0, 'listed, be it nothing']],
  });
  command.action((_: object, self: Command) => start(self, (context) => runCompanyList(context)));
}

function defineShow(group: Command, start: Start): void {
  const command = group
    .command('show')
    .summary('show a company with its users, origins and API keys')
    .description('Show a company: the one of --company, or the only one.');
  documentCommand(command, {
    examples: [['innsigli company show', 'users, origins, and the ids of API keys']],
    exits: [
      [0, 'shown'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  command.action((_: object, self: Command) => start(self, (context) => runCompanyShow(context)));
}

/** Makes a company and prints its keys, this once. */
export async function runCompanyCreate(
  { name, ssn, user }: CreateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  if (name.trim() === '') refuseUsage('--name: expected a name, found none');
  const first = readUser(user);
  const request = {
    name,
    ...(ssn === undefined ? {} : { ssn }),
    ...(first === undefined ? {} : { user: first }),
  };
  const made = await useCompanies(
    context,
    (service) =>
      namingOptions({ name: '--name', ssn: '--ssn' }, () => service.createCompany(request)),
    false,
  );
  const { company, ...keys } = made;
  if (console.mode.json) {
    console.document({
      v: 1,
      command: 'company create',
      company: companyDocument(company),
      ...keys,
    });
    return 0;
  }
  const { green } = await console.style('stderr');
  console.note(`${green('✓')} Made the company ${printable(company.name)}; its keys, this once:`);
  console.result([
    `company: ${company.key}`,
    `api-key: ${keys.apiKey}`,
    `webhook-signature-key: ${keys.webhookSignatureKey}`,
  ]);
  return 0;
}

/** Prints the companies. */
export async function runCompanyList(context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const companies = await useCompanies(context, (service) => service.companies());
  if (console.mode.json) {
    const documents = companies.map(companyDocument);
    console.document({ v: 1, command: 'company list', companies: documents });
    return 0;
  }
  const { bold, dim } = await console.style('stdout');
  const lines = companies.map(
    ({ key, name, createdAtMs }) =>
      `${bold(printable(key))}  ${dim(minute(createdAtMs))}  ${printable(name)}`,
  );
  if (lines.length > 0) console.result(lines);
  else console.note('there is no company; innsigli init makes one');
  return 0;
}

/** Prints the company with those who may speak for it. */
export async function runCompanyShow(context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const { company, users, origins, apiKeys } = await useService(context, async (service) => ({
    company: service.company,
    ...(await service.access()),
  }));
  if (console.mode.json) {
    const keys = apiKeys.map(({ id, label, createdAtMs, scopes, expiresAtMs }) => ({
      id,
      label,
      createdAt: new Date(createdAtMs).toISOString(),
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    }));
    const people = users.map(({ email, name }) => ({ email, name }));
    const document = { ...companyDocument(company), users: people, origins, apiKeys: keys };
    console.document({ v: 1, command: 'company show', company: document });
    return 0;
  }
  const { bold, dim } = await console.style('stdout');
  console.result([
    `${bold(printable(company.key))}  ${printable(company.name)}`,
    dim(`  made ${minute(company.createdAtMs)}${trialText(company)}`),
    ...(company.signeeIdentity === undefined ? [] : [`  signeeIdentity ${company.signeeIdentity}`]),
    ...(company.timeZone === undefined ? [] : [`  timeZone ${company.timeZone}`]),
    ...users.map(({ email, name }) => `  user ${printable(email)}  ${printable(name)}`),
    ...origins.map((origin) => `  origin ${printable(origin)}`),
    ...apiKeys.map(
      ({ id, label, createdAtMs, scopes, expiresAtMs }) =>
        `  API key ${printable(id)}  ${dim(minute(createdAtMs))}  ${printable(label)}` +
        (scopes === undefined ? '' : `  ${scopes.join(', ')}`) +
        (expiresAtMs === undefined ? '' : `  ${dim(`until ${minute(expiresAtMs)}`)}`),
    ),
  ]);
  return 0;
}

function trialText({ trialEndsAtMs }: Pick<Company, 'trialEndsAtMs'>): string {
  return trialEndsAtMs === undefined ? '' : `, on trial until ${minute(trialEndsAtMs)}`;
}

function companyDocument(company: Company): object {
  const { key, name, createdAtMs, trialEndsAtMs, signeeIdentity, timeZone } = company;
  const [createdAt, trialEndsAt] = [createdAtMs, trialEndsAtMs].map((atMs) =>
    atMs === undefined ? undefined : new Date(atMs).toISOString(),
  );
  return {
    ...{ key, name, createdAt },
    ...(trialEndsAt === undefined ? {} : { trialEndsAt }),
    ...(signeeIdentity === undefined ? {} : { signeeIdentity }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}
