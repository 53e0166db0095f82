import type { Command } from 'commander';
import { apiKeyScopes } from '../../../domain/company.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { namingOptions, oneOf, readEnd } from '../option-values.ts';

interface CreateOptions {
  readonly label?: string;
  readonly scope?: readonly string[];
  readonly until?: string;
}

/** Adds `company key create` and `company key revoke` to the command tree. */
export function defineCompanyKey(company: Command, start: Start): void {
  const group = company.command('key').summary('API keys of a company');
  group.description('Make API keys, and end them.').helpCommand(false);
  const create = group
    .command('create')
    .summary('make an API key')
    .description('Make a further API key; the others stay. It is printed once.')
    .option('--label <text>', 'what it is for (default: key)')
    .option('--scope <scope>', `${apiKeyScopes.join(', ')}; several times (default: all)`, collect)
    .option('--until <time>', '2027-01-31, 2027-01-31T12:00Z or 90d; then it ends by itself');
  documentCommand(create, {
    text: [
      'sign: make processes and sequences, seal, archive, remind, log persons in; read: ' +
        'documents, the log, settings, compliance, verify; manage: webhooks, mail texts, ' +
        'schemas; screen: screen persons. The rest answers 403 authentication.key.scope.',
      'Without sign, keys and links of signees are left out of answers. Webhooks carry them: who ' +
        'has manage can sign by a webhook of their own.',
    ],
    examples: [
      ['innsigli company key create --label "invoice system"', 'one for each program'],
      ['innsigli company key create --label archive --scope read --until 90d', 'a narrow one'],
    ],
    exits: [
      [0, 'made'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  create.action((options: CreateOptions, self: Command) =>
    start(self, (context) => runKeyCreate(options, context)),
  );
  const revoke = group
    .command('revoke')
    .summary('end an API key')
    .description('End an API key for good; services that run take it for a second more at most.')
    .argument('<id>', 'its id, as innsigli company show has it');
  documentCommand(revoke, {
    examples: [['innsigli company key revoke 1f2e3d4c5b6a', 'the key was lost']],
    exits: [
      [0, 'nobody can use it any more'],
      [5, 'no such key'],
    ],
  });
  revoke.action((id: string, _: object, self: Command) =>
    start(self, (context) => runKeyRevoke(id, context)),
  );
}

/** Makes an API key and prints it, this once. */
export async function runKeyCreate(
  { label = 'key', scope, until }: CreateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const scopes = scope?.flatMap((text) => oneOf(apiKeyScopes, text, '--scope') ?? []);
  const expiresAtMs = until === undefined ? undefined : readEnd(until, io.now());
  if (expiresAtMs !== undefined && expiresAtMs <= io.now()) {
    refuseUsage(`--until: expected a time to come, found "${until}"`);
  }
  const terms = {
    ...(scopes === undefined ? {} : { scopes }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
  const made = await useService(context, (service) =>
    namingOptions({ label: '--label' }, () => service.issueApiKey(label, terms)),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'company key create', ...made });
    return 0;
  }
  console.note(`API key ${made.id}, this once:`);
  console.result(made.apiKey);
  return 0;
}

/** Ends an API key. */
export async function runKeyRevoke(id: string, context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  await useService(context, (service) => service.revokeApiKey(id));
  if (console.mode.json) console.document({ v: 1, command: 'company key revoke', id });
  else console.note(`API key ${printable(id)} cannot be used any more`);
  return 0;
}
