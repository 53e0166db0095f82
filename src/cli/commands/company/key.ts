import { defined } from '../../../base/defined.ts';
import { apiKeyScopes } from '../../../domain/company.ts';
import { command, endTime, oneOf, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { noCompany } from './settings.ts';

const futureTime = reading((text, name, context) => {
  const atMs = endTime.read(text, name, context);
  if (atMs > context.io.now()) return atMs;
  return refuseUsage(`${name}: expected a time in the future, found "${text}"`);
});

const keyCreate = command('company key create', {
  summary: 'create an API key',
  description: 'Create an additional API key; existing keys stay valid. It is printed once.',
  options: {
    '--label <text>': { text: 'its purpose', default: 'key' },
    '--scope <scope>': {
      text: `${apiKeyScopes.join(', ')}; repeatable (default: all)`,
      ...oneOf(apiKeyScopes),
      many: true,
    },
    '--until <time>': {
      text: 'expiry: 2027-01-31, 2027-01-31T12:00Z or 90d',
      ...futureTime,
    },
  },
  help: [
    'sign: create processes and sequences, seal, archive, remind, log persons in; read: ' +
      'documents, the log, settings, compliance, verify; manage: webhooks, mail texts, ' +
      'schemas; screen: screen persons. Other requests fail with 403 authentication.key.scope.',
    'Without sign, responses omit keys and links of signees. Webhooks contain them: ' +
      'anyone with manage can obtain them by registering a webhook, and sign.',
  ],
  examples: {
    'innsigli company key create --label "invoice system"': 'one per program',
    'innsigli company key create --label archive --scope read --until 90d': 'a restricted key',
  },
  exits: { 0: 'made', 1: 'stdout is closed or /dev/null: no key was created', 5: noCompany },
  call: (service, { label, scope: scopes, until: expiresAtMs }) =>
    service.issueApiKey(label, defined({ scopes, expiresAtMs })),
  undo: async ({ id }, context) => {
    await useService(context, (service) => service.revokeApiKey(id));
    return `API key ${id} was revoked, because it could not be shown`;
  },
  text: ({ id, apiKey }, { console }) => {
    console.note(`API key ${id}, shown only now:`);
    console.result(apiKey);
  },
});

const keyRevoke = command('company key revoke', {
  summary: 'revoke an API key',
  description:
    'Revoke an API key permanently; running services accept it for at most one more second.',
  args: { '<id>': 'ID of the key, as printed by innsigli company show' },
  examples: { 'innsigli company key revoke 1f2e3d4c5b6a': 'the key was lost' },
  exits: { 0: 'the key can no longer be used', 5: 'no such key' },
  call: async (service, { id }) => {
    await service.revokeApiKey(id);
    return { id };
  },
  text: ({ id }, { console }) => console.note(`API key ${printable(id)} can no longer be used`),
});

/** `company key` with its commands. */
export const companyKey = command('company key', {
  summary: 'API keys of a company',
  description: 'Create and revoke API keys.',
  commands: [keyCreate, keyRevoke],
});
