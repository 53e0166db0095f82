import type { Command } from 'commander';
import type { CompanyService } from '../../../app/company-service.ts';
import { fieldDataMember, parseValues } from '../../../domain/flow/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable, shownName } from '../../output/index.ts';
import { minute, nextStep, processDocument } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import {
  namingOptions,
  oneOf,
  readInputText,
  readOptionFile,
  readOptionInput,
  readPairs,
  readUser,
  requireOneStdin,
} from '../option-values.ts';
import { namingMembers, readSignees, signeeHelp } from './signee-options.ts';

interface ParsedOptions {
  readonly flow?: string;
  readonly signee?: readonly string[];
  readonly signees?: string;
  readonly values?: string;
  readonly meta?: readonly string[];
  readonly attach?: readonly string[];
  readonly user?: string;
  readonly name?: string;
  readonly inOrder?: boolean;
  readonly requiresAuth?: boolean;
  readonly location?: string;
  readonly flatten?: boolean;
  readonly reminders?: string;
  readonly displayName?: string;
}

/** Adds `process create` to the command tree. */
export function defineProcessCreate(group: Command, start: Start): void {
  const command = group
    .command('create')
    .summary('take a document for signature')
    .description('Take a PDF for signature: invitations go out with the next worker run.')
    .argument('[pdf]', 'the document, or - for stdin; left out where the flow makes it')
    .option('--flow <key>', 'flow; may be left out where the company has one')
    .option('--signee <signee>', 'who signs; several times', collect)
    .option('--signees <file>', 'JSON array of signees, or - for stdin')
    .option('--values <file>', 'JSON object of values for the form or template; - for stdin')
    .option('--in-order', 'signees sign one after the other')
    .option('--requires-auth', 'signees log in with an e-ID before they see the document')
    .option('--user <e-mail>', 'owner of the process')
    .option('--name <file>', 'file name that signees see (default: that of the PDF)')
    .option('--attach <file>', 'file that goes with it; several times', collect)
    .option('--meta <name=value>', 'value for texts, forms and webhooks; several times', collect)
    .option(
      '--location <place>',
      'stamps: TopFirstPage or BottomLastPage (default: that of the flow)',
    )
    .option('--flatten', 'make form fields part of the page before the first signature')
    .option('--reminders <rule>', 'FIRST:INTERVAL in days, such as 1:3')
    .option('--display-name <text>', 'name in the activity log');
  documentCommand(command, {
    text: [
      signeeHelp,
      'Mails and pages of a signee without language are in that of the flow: Icelandic (Is) ' +
        'unless it was made with flow create --language.',
      'Stamps begin at a corner of the page and stand over whatever is printed there: --location ' +
        'takes the corner that the document leaves free.',
      'The seal key and the document are checked now, so that nobody signs in vain.',
    ],
    examples: [
      [
        'innsigli process create a.pdf --signee "Jón,email=jon@example.is,type=ClickToSign"',
        'one signee; delivery is left out, so you hand over the link yourself',
      ],
      [
        'innsigli process create --flow f10e… --values order.json --signees people.json',
        'the flow makes the document from values',
      ],
      [
        'innsigli process create a.pdf --in-order --signee "A,…" --signee "B,…"',
        'B is invited when A has signed',
      ],
    ],
    exits: [
      [0, 'taken'],
      [2, 'a value is missing or wrong'],
      [5, 'no such file, flow or company'],
      [6, 'the PDF forbids signatures, or the trial has run out'],
      [7, 'the PDF cannot be signed'],
      [10, 'the seal key cannot be used'],
    ],
  });
  command.action((pdf: string | undefined, options: ParsedOptions, self: Command) =>
    start(self, (context) => runProcessCreate(pdf, options, context)),
  );
}

/** Takes the document and prints the key of its process. */
export async function runProcessCreate(
  pdf: string | undefined,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const request = await readRequest(pdf, options, context);
  const { process, frontEnd } = await useService(context, async (service) => {
    const flowKey = options.flow ?? (await onlyFlow(service));
    if (request.signees.length === 0) await requireDefaultSignees(service, flowKey);
    const create = () => service.processes.create({ ...request, flowKey });
    const made = await console.busy(
      `Checking ${pdf === undefined ? 'the document' : shownName(pdf)}`,
      () => namingMembers(options.signee?.length ?? 0, () => namingOptions(optionNames, create)),
    );
    return { process: made, frontEnd: service.frontEnd };
  });
  if (console.mode.json) {
    const document = processDocument(process, frontEnd);
    console.document({ v: 1, command: 'process create', process: document });
    return 0;
  }
  const { green } = await console.style('stderr');
  const count = process.signees.length;
  console.note(
    `${green('✓')} taken for ${count} signee${count === 1 ? '' : 's'}, ` +
      `open until ${minute(process.expiresAtMs)}`,
  );
  for (const { key, name } of process.signees) {
    console.note(`  ${printable(name)}: ${frontEnd}/s/${process.key}/${key}`);
  }
  console.note(nextStep([process], context.globals));
  console.result(process.key);
  return 0;
}

/** Members of a request by the names of their options. */
const optionNames = {
  pdf: 'the document',
  pdfDocument: 'the document',
  fileName: '--name',
  pdfFileName: '--name',
  signees: '--signee',
  meta: '--meta',
  user: '--user',
  requiresAuth: '--requires-auth',
  reminderRule: '--reminders',
  activityDisplayName: '--display-name',
} as const;

async function readRequest(
  pdf: string | undefined,
  options: ParsedOptions,
  context: CommandContext,
) {
  const { io } = context;
  const { basename } = await import('node:path');
  const { values, signees } = options;
  requireOneStdin([pdf, values, signees]);
  const locations = ['TopFirstPage', 'BottomLastPage'] as const;
  const form =
    values === undefined
      ? {}
      : { [fieldDataMember]: JSON.stringify(parseValues(await readInputText(values, io))) };
  const isStdin = pdf === '-';
  return {
    signees: await readSignees(options, context),
    meta: { ...readPairs(options.meta ?? [], '--meta'), ...form },
    attachments: (options.attach ?? []).map((path) => ({
      fileName: basename(path),
      content: readOptionFile(path, io.cwd),
    })),
    user: readUser(options.user),
    signInOrder: options.inOrder,
    requiresAuth: options.requiresAuth,
    flattenDocument: options.flatten,
    signatureLocation: oneOf(locations, options.location, '--location'),
    reminderRule: options.reminders,
    activityDisplayName: options.displayName,
    fileName: options.name ?? (pdf === undefined || isStdin ? undefined : basename(pdf)),
    pdf: pdf === undefined ? undefined : await readOptionInput(pdf, io),
  };
}

/** A document that nobody is to sign would wait until it expires. */
async function requireDefaultSignees({ flows }: CompanyService, flowKey: string): Promise<void> {
  const { defaultSignees } = await flows.show(flowKey);
  if (defaultSignees.length > 0) return;
  refuseUsage('--signee: expected at least one, and the flow has none of its own');
}

async function onlyFlow(service: {
  readonly flows: { list(): Promise<readonly { readonly flowKey: string }[]> };
}): Promise<string> {
  const flows = await service.flows.list();
  const [only, other] = flows;
  if (only !== undefined && other === undefined) return only.flowKey;
  return refuseUsage(
    `--flow: expected a flow, found ${flows.length} of them`,
    'innsigli flow list shows them, innsigli flow create makes one',
  );
}
