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
  summary: 'take a document for signature',
  description: 'Take a PDF for signature: the next worker run sends the invitations.',
  args: { '[pdf]': 'the document, or - for stdin; left out if the flow makes it' },
  options: {
    '--flow <key>': 'flow; optional if the company has only one for signing',
    '--signee <signee>': { text: 'who signs; several times', ...signeeText, many: true },
    '--signees <file>': 'JSON array of signees, or - for stdin',
    '--values <file>': 'JSON object of values for the form or template; - for stdin',
    '--in-order': 'signees sign one after the other',
    '--requires-auth': 'signees log in with an e-ID before they see the document',
    '--user <e-mail>': { text: 'owner of the process', ...mailAddress },
    '--name <file>': 'file name that signees see (default: that of the PDF)',
    '--attach <file>': { text: 'file that goes with it; several times', ...attachment, many: true },
    '--meta <name=value>': {
      text: 'value for texts, forms and webhooks; several times',
      ...pair,
      many: true,
    },
    '--location <place>': {
      text: `stamps: ${signatureLocations.join(' or ')} (default: that of the flow)`,
      ...oneOf(signatureLocations),
    },
    '--flatten': 'make form fields part of the page before the first signature',
    '--reminders <rule>': 'FIRST:INTERVAL in days, such as 1:3',
    '--display-name <text>': 'name in the activity log',
  },
  help: [
    signeeHelp,
    'Mails and pages of a signee without language are in that of the flow: Icelandic (Is) ' +
      'unless it was made with flow create --language.',
    'Stamps begin at a corner of the page and cover its print: choose with ' +
      '--location the corner that the document leaves free.',
    'The seal key and the document are checked now, to avoid signatures in vain.',
  ],
  examples: {
    'innsigli process create a.pdf --signee "Jón,email=jon@example.is,type=ClickToSign"':
      'one signee; delivery is left out, so you hand over the link yourself',
    'innsigli process create --flow f10e… --values order.json --signees people.json':
      'the flow makes the document from values',
    'innsigli process create a.pdf --in-order --signee "A,…" --signee "B,…"':
      'B is invited when A has signed',
  },
  exits: {
    0: 'taken',
    2: 'a value is missing or wrong',
    5: 'no such file, flow or company',
    6: 'the PDF forbids signatures, or the trial has run out',
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
      `${green('✓')} taken for ${count} signee${count === 1 ? '' : 's'}, ` +
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
    refuseUsage(`expected - once, because stdin is read once, found it ${count} times`);
  }
}

/** A document without signees would be pending until it expires. */
async function requireDefaultSignees({ flows }: CompanyService, flowKey: string): Promise<void> {
  const { defaultSignees } = await flows.show(flowKey);
  if (defaultSignees.length > 0) return;
  refuseUsage('--signee: expected at least one, and the flow has none of its own');
}
