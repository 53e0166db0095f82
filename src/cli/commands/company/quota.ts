import type { Command } from 'commander';
import type { QuotaChange } from '../../../app/quotas.ts';
import type { QuotaName } from '../../../domain/company.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { byteCount } from '../../output/index.ts';
import { useService } from '../../use-service.ts';

interface QuotaOptions {
  readonly storage?: string;
  readonly processes?: string;
  readonly attachments?: string;
  readonly mails?: string;
  readonly requests?: string;
}

/** The option of each quota, and what is counted. */
const quotas: {
  readonly [Name in QuotaName]: { readonly option: keyof QuotaOptions; readonly counted: string };
} = {
  storedBytes: { option: 'storage', counted: 'stored' },
  processes: { option: 'processes', counted: 'processes today' },
  attachments: { option: 'attachments', counted: 'attachments today' },
  mailsPerRecipient: { option: 'mails', counted: 'mails to one address a day; all today' },
  namedRequests: { option: 'requests', counted: 'requests with Idempotency-Key today' },
};

/** Adds `company quota` to the command tree. */
export function defineCompanyQuota(company: Command, start: Start): void {
  const command = company
    .command('quota')
    .summary('what a company may take, and has taken')
    .description('Show the quotas of a company with what it has taken, or set them.')
    .option('--storage <size>', 'documents and attachments, such as 500MB or 20GB')
    .option('--processes <number>', 'new processes a day')
    .option('--attachments <number>', 'attachments of new processes a day')
    .option('--mails <number>', 'mails to one address a day')
    .option('--requests <number>', 'requests with an Idempotency-Key a day');
  documentCommand(command, {
    text: [
      'usual instead of a number brings back what every company has unless it is said otherwise. ' +
        'Days are those of UTC. Stored is counted what processes refer to that are not purged.',
      'Beyond a quota of the day requests get status 429 with Retry-After, beyond the storage ' +
        '507; a mail beyond its quota is not sent, and the log of its process says so. Documents ' +
        'that are under way are signed and sealed all the same.',
    ],
    examples: [
      ['innsigli company quota', 'what there is'],
      ['innsigli company quota --storage 200GB --processes 100000', 'more of both'],
      ['innsigli company quota --processes usual', 'as every company'],
    ],
    exits: [
      [0, 'shown'],
      [2, 'a value is wrong'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  command.action((options: QuotaOptions, self: Command) =>
    start(self, (context) => runCompanyQuota(options, context)),
  );
}

/** Sets the quotas that are named, and prints all of them. */
export async function runCompanyQuota(
  options: QuotaOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const change = readChange(options);
  const found = await useService(context, async (service) => {
    if (Object.keys(change).length > 0) await service.setQuotas(change);
    return service.quotas();
  });
  if (console.mode.json) {
    const members = found.map(({ name, most, used }) => [name, { most, used }]);
    console.document({ v: 1, command: 'company quota', quotas: Object.fromEntries(members) });
    return 0;
  }
  const { dim } = await console.style('stdout');
  console.result(
    found.map(({ name, most, used }) => {
      const show = name === 'storedBytes' ? byteCount : String;
      const { option, counted } = quotas[name];
      return `${option.padEnd(12)}${show(used)} of ${show(most)}  ${dim(counted)}`;
    }),
  );
  return 0;
}

function readChange(options: QuotaOptions): QuotaChange {
  const change: Record<string, number | null> = {};
  for (const [name, { option }] of Object.entries(quotas)) {
    const text = options[option];
    if (text === undefined) continue;
    const read = option === 'storage' ? readSize : readNumber;
    change[name] = text === 'usual' ? null : read(text, option);
  }
  return change;
}

function readNumber(text: string, option: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  return refuseUsage(`--${option}: expected a whole number or usual, found "${text}"`);
}

const units = ['', 'kB', 'MB', 'GB', 'TB'];

function readSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9}) ?([a-z]{0,2})$/i.exec(text) ?? [];
  const power = units.findIndex((each) => each.toLowerCase() === unit.toLowerCase());
  if (number !== '' && power >= 0) return Number(number) * 1000 ** power;
  return refuseUsage(`--storage: expected a size such as 20GB, or usual, found "${text}"`);
}
