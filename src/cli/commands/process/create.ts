import { basename } from 'node:path';
import type { CompanyService } from '../../../app/company-service.ts';
import { fieldDataMember, parseValues } from '../../../domain/flow/index.ts';
import { signatureLocations } from '../../../domain/process/index.ts';
import {
  command,
  mailAddress,
  oneOf,
  pair,
  reading,
  readJsonText,
  readOptionFile,
  readOptionInput,
} from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable, shownName } from '../../output/index.ts';
import { minute, nextStep, processDocument } from '../../process-report/index.ts';
import { flowOf } from '../webhook/options.ts';
import { namingMembers, readSignees, signeeHelp, signeeText } from './signee-options.ts';

/** Types of flows with documents to sign. */
const signedTypes = ['RenderFlow', 'DropAndSign', 'FillAndSign'] as const;

const attachment = reading((path, _, { io }) => ({
  fileName: basename(path),
  content: readOptionFile(path, io.cwd),
}));

/** Creates a process for a document to sign and prints its key. */
export const processCreate = command('process create', {
  summary: 'submit a document for signature',
  description: 'Submit a PDF for signature; the next worker run sends the invitations.',
  args: { '[pdf]': 'the document, or - for stdin; omit it if the flow renders it' },
  options: {
    '--flow <key>': 'flow; optional if the company has only one for signing',
    '--signee <signee>': { text: 'a signee; repeatable', ...signeeText, many: true },
    '--signees <file>': 'JSON array of signees, or - for stdin',
    '--values <file>': 'JSON object of values for the form or template; - for stdin',
    '--in-order': 'signees sign in the given order',
    '--requires-auth': 'signees log in with an e-ID before they see the document',
    '--user <e-mail>': { text: 'owner of the process', ...mailAddress },
    '--name <file>': 'file name shown to signees (default: that of the PDF)',
    '--attach <file>': { text: 'attachment; repeatable', ...attachment, many: true },
    '--meta <name=value>': {
      text: 'value for texts, forms and webhooks; repeatable',
      ...pair,
      many: true,
    },
    '--location <place>': {
      text: `stamps: ${signatureLocations.join(' or ')} (default: that of the flow)`,
      ...oneOf(signatureLocations),
    },
    '--flatten': 'flatten form fields before the first signature',
    '--reminders <rule>': 'FIRST:INTERVAL in days, such as 1:3',
    '--display-name <text>': 'author in the activity log',
  },
  help: [
    signeeHelp,
    'Mails and pages for a signee without a language use that of the flow: Icelandic (Is) ' +
      'unless it was created with flow create --language.',
    'Stamps take the first free area from the top of the first page, or with ' +
      '--location BottomLastPage from the bottom of the last page.',
    'The seal key and the document are checked now, so that no signatures are collected in vain.',
  ],
  examples: {
    'innsigli process create a.pdf --signee "Jón,email=jon@example.is,type=ClickToSign"':
      'one signee; without delivery you hand over the link yourself',
    'innsigli process create --flow f10e… --values order.json --signees people.json':
      'the flow renders the document from values',
    'innsigli process create a.pdf --in-order --signee "A,…" --signee "B,…"':
      'B is invited once A has signed',
  },
  exits: {
    0: 'submitted',
    2: 'a value is missing or invalid',
    5: 'no such file, flow or company',
    6: 'the PDF forbids signatures, or the trial has ended',
    7: 'the PDF cannot be signed',
    10: 'the seal key cannot be used',
  },
  check: ({ pdf, values, signees }) => requireOneStdin([pdf, values, signees]),
  names: () => ({
    pdf: 'the document',
    fileName: '--name',
    signees: '--signee',
    reminderRule: '--reminders',
    activityDisplayName: '--display-name',
  }),
  call: async (service, { pdf, values, signee = [], meta = [], ...given }, context) => {
    const { io, console } = context;
    const text = values === undefined ? undefined : await readJsonText(values, io);
    const form = text === undefined ? {} : { [fieldDataMember]: JSON.stringify(parseValues(text)) };
    const request = {
      signees: await readSignees(signee, given.signees, context),
      meta: { ...Object.fromEntries(meta), ...form },
      attachments: given.attach ?? [],
      user: given.user,
      signInOrder: given.inOrder,
      requiresAuth: given.requiresAuth,
      flattenDocument: given.flatten,
      signatureLocation: given.location,
      reminderRule: given.reminders,
      activityDisplayName: given.displayName,
      fileName: given.name ?? (pdf === undefined || pdf === '-' ? undefined : basename(pdf)),
      pdf: pdf === undefined ? undefined : await readOptionInput(pdf, io),
    };
    const flowKey = given.flow ?? (await flowOf(service, undefined, signedTypes));
    if (request.signees.length === 0) await requireDefaultSignees(service, flowKey);
    const create = () => service.processes.create({ ...request, flowKey });
    const what = pdf === undefined ? 'the document' : shownName(pdf);
    const process = await console.busy(`Checking ${what}`, () =>
      namingMembers(signee.length, create),
    );
    return { process, frontEnd: service.frontEnd };
  },
  document: ({ process, frontEnd }) => ({ process: processDocument(process, frontEnd) }),
  text: async ({ process, frontEnd }, { console, globals }) => {
    const { green } = await console.style('stderr');
    const count = process.signees.length;
    console.note(
      `${green('✓')} submitted to ${count} signee${count === 1 ? '' : 's'}, ` +
        `open until ${minute(process.expiresAtMs)}`,
    );
    for (const { key, name } of process.signees) {
      console.note(`  ${printable(name)}: ${frontEnd}/s/${process.key}/${key}`);
    }
    console.note(nextStep([process], globals));
    console.result(process.key);
  },
});

function requireOneStdin(inputs: readonly (string | undefined)[]): void {
  const count = inputs.filter((input) => input === '-').length;
  if (count > 1) {
    refuseUsage(`expected - once, because stdin can be read only once, found it ${count} times`);
  }
}

/** A document without signees would be pending until it expires. */
async function requireDefaultSignees({ flows }: CompanyService, flowKey: string): Promise<void> {
  const { defaultSignees } = await flows.show(flowKey);
  if (defaultSignees.length > 0) return;
  refuseUsage('--signee: expected at least one, because the flow has none of its own');
}
