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
  mailsPerRecipient: { option: 'mails', counted: 'mails to one address per day; total today' },
  namedRequests: { option: 'requests', counted: 'requests with Idempotency-Key today' },
} as const satisfies Readonly<Record<QuotaName, object>>;

/** Sets the given quotas and prints all of them. */
export const companyQuota = command('company quota', {
  summary: 'show or set the quotas of a company',
  description: 'Show the quotas of a company and their usage, or set them.',
  options: {
    '--storage <size>': { text: 'documents and attachments, such as 500MB or 20GB', ...size },
    '--processes <number>': { text: 'new processes per day', ...count },
    '--attachments <number>': { text: 'attachments of new processes per day', ...count },
    '--mails <number>': { text: 'mails to one address per day', ...count },
    '--requests <number>': { text: 'requests with an Idempotency-Key per day', ...count },
  },
  help: [
    'Pass usual instead of a number to restore the default. Days are UTC days. ' +
      'Storage counts the files of all processes not yet purged.',
    'Requests over a daily quota get status 429 with Retry-After, over the storage quota ' +
      '507; a mail over its quota is not sent, which the log of its process records. Documents ' +
      'in progress are still signed and sealed.',
    'Look-ups in the register of persons are also counted, once per login and kind; they ' +
      'have no quota.',
  ],
  examples: {
    'innsigli company quota': 'show them',
    'innsigli company quota --storage 200GB --processes 100000': 'raise both',
    'innsigli company quota --processes usual': 'the default',
  },
  exits: { 0: 'shown', 2: 'a value is invalid', 5: noCompany },
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
        return `${lookup}  ${today} today, ${total} in total  ${dim('look-ups of persons')}`;
      }),
    );
  },
});
