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
  summary: 'make an API key',
  description: 'Make another API key; the existing ones stay. It is printed once.',
  options: {
    '--label <text>': { text: 'its purpose', default: 'key' },
    '--scope <scope>': {
      text: `${apiKeyScopes.join(', ')}; several times (default: all)`,
      ...oneOf(apiKeyScopes),
      many: true,
    },
    '--until <time>': {
      text: '2027-01-31, 2027-01-31T12:00Z or 90d; then it ends by itself',
      ...futureTime,
    },
  },
  help: [
    'sign: make processes and sequences, seal, archive, remind, log persons in; read: ' +
      'documents, the log, settings, compliance, verify; manage: webhooks, mail texts, ' +
      'schemas; screen: screen persons. Other requests get 403 authentication.key.scope.',
    'Without sign, keys and links of signees are left out of answers. Webhooks carry them: ' +
      'anyone with manage can sign by a webhook of their own.',
  ],
  examples: {
    'innsigli company key create --label "invoice system"': 'one for each program',
    'innsigli company key create --label archive --scope read --until 90d': 'a narrow one',
  },
  exits: { 0: 'made', 1: 'stdout leads nowhere: no key was made', 5: noCompany },
  call: (service, { label, scope: scopes, until: expiresAtMs }) =>
    service.issueApiKey(label, defined({ scopes, expiresAtMs })),
  undo: async ({ id }, context) => {
    await useService(context, (service) => service.revokeApiKey(id));
    return `API key ${id} was revoked: nobody has seen it`;
  },
  text: ({ id, apiKey }, { console }) => {
    console.note(`API key ${id}, this once:`);
    console.result(apiKey);
  },
});

const keyRevoke = command('company key revoke', {
  summary: 'end an API key',
  description: 'End an API key for good; running services accept it for one second more at most.',
  args: { '<id>': 'its id, as innsigli company show has it' },
  examples: { 'innsigli company key revoke 1f2e3d4c5b6a': 'the key was lost' },
  exits: { 0: 'it cannot be used any more', 5: 'no such key' },
  call: async (service, { id }) => {
    await service.revokeApiKey(id);
    return { id };
  },
  text: ({ id }, { console }) => console.note(`API key ${printable(id)} cannot be used any more`),
});

/** `company key` with its commands. */
export const companyKey = command('company key', {
  summary: 'API keys of a company',
  description: 'Make API keys, and end them.',
  commands: [keyCreate, keyRevoke],
});
