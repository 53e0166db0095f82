import type { QuotaName } from '../../../domain/company.ts';
import { command, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { byteCount } from '../../output/index.ts';
import { noCompany } from './settings.ts';

const count = reading((text, name): number | null => {
  if (text === 'usual') return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  return refuseUsage(`${name}: expected a whole number or usual, found "${text}"`);
});

const units = ['', 'kB', 'MB', 'GB', 'TB'];

const size = reading((text, name): number | null => {
  if (text === 'usual') return null;
  const [, number = '', unit = ''] = /^(\d{1,9}) ?([a-z]{0,2})$/i.exec(text) ?? [];
  const power = units.findIndex((each) => each.toLowerCase() === unit.toLowerCase());
  if (number !== '' && power >= 0) return Number(number) * 1000 ** power;
  return refuseUsage(`${name}: expected a size such as 20GB, or usual, found "${text}"`);
});

/** The option of each quota, and what it counts. */
const quotas = {
  storedBytes: { option: 'storage', counted: 'stored' },
  processes: { option: 'processes', counted: 'processes today' },
  attachments: { option: 'attachments', counted: 'attachments today' },
  mailsPerRecipient: { option: 'mails', counted: 'mails to one address a day; all today' },
  namedRequests: { option: 'requests', counted: 'requests with Idempotency-Key today' },
} as const satisfies Readonly<Record<QuotaName, object>>;

/** Sets the given quotas and prints all of them. */
export const companyQuota = command('company quota', {
  summary: 'show or set the quotas of a company',
  description: 'Show the quotas of a company with their use, or set them.',
  options: {
    '--storage <size>': { text: 'documents and attachments, such as 500MB or 20GB', ...size },
    '--processes <number>': { text: 'new processes a day', ...count },
    '--attachments <number>': { text: 'attachments of new processes a day', ...count },
    '--mails <number>': { text: 'mails to one address a day', ...count },
    '--requests <number>': { text: 'requests with an Idempotency-Key a day', ...count },
  },
  help: [
    'usual instead of a number restores the default of every company. Days are those of UTC. ' +
      'Storage counts the files of processes that are not purged.',
    'Beyond a quota of the day requests get status 429 with Retry-After, beyond the storage ' +
      '507; a mail beyond its quota is not sent, and the log of its process says so. Documents ' +
      'that are under way are signed and sealed all the same.',
    'Look-ups in the register of persons are counted below, once for each login and kind; they ' +
      'have no quota.',
  ],
  examples: {
    'innsigli company quota': 'show them',
    'innsigli company quota --storage 200GB --processes 100000': 'more of both',
    'innsigli company quota --processes usual': 'the default',
  },
  exits: { 0: 'shown', 2: 'a value is wrong', 5: noCompany },
  call: async (service, given) => {
    const named = Object.entries(quotas).map(([name, { option }]) => [name, given[option]]);
    const change = named.filter(([, most]) => most !== undefined);
    if (change.length > 0) await service.setQuotas(Object.fromEntries(change));
    return { quotas: await service.quotas(), lookups: await service.lookups() };
  },
  document: (found) => ({
    quotas: Object.fromEntries(found.quotas.map(({ name, most, used }) => [name, { most, used }])),
    lookups: Object.fromEntries(
      found.lookups.map(({ lookup, today, total }) => [lookup, { today, total }]),
    ),
  }),
  text: async (found, { console }) => {
    const { dim } = await console.style('stdout');
    console.result(
      found.quotas.map(({ name, most, used }) => {
        const show = name === 'storedBytes' ? byteCount : String;
        const { option, counted } = quotas[name];
        return `${option.padEnd(12)}${show(used)} of ${show(most)}  ${dim(counted)}`;
      }),
    );
    console.result(
      found.lookups.map(({ lookup, today, total }) => {
        return `${lookup}  ${today} today, ${total} in all  ${dim('look-ups of persons')}`;
      }),
    );
  },
});
