import { basename, dirname, resolve } from 'node:path';
import type { ProcessRequest } from '../../../app/process/index.ts';
import { InnsigliError, isInnsigliError, restated } from '../../../base/errors.ts';
import { command, mailAddress, readJsonInput, readOptionFile } from '../../command/index.ts';
import type { CommandContext } from '../../context.ts';
import { nextStep, sequenceDocument, sequenceLines } from '../../process-report/index.ts';
import { requireMembers, requireSigneeMembers } from '../process/signee-options.ts';

const planMembers = [
  'flowKey',
  'pdf',
  'fileName',
  'signees',
  'meta',
  'reminderRule',
  'signatureLocation',
  'activityDisplayName',
  'flattenDocument',
  'requiresAuth',
  'signInOrder',
  'user',
] as const satisfies readonly (keyof ProcessRequest)[];

/** Creates the sequence of a plan and prints it. */
export const sequenceCreate = command('sequence create', {
  summary: 'submit several documents for signature as one',
  description: 'Submit several documents for signature; each person gets one invitation.',
  args: { '<plan>': 'JSON file with an array of documents, or - for stdin' },
  options: {
    '--user <e-mail>': {
      text: 'owner; only the owner may cancel it',
      ...mailAddress,
      required: true,
    },
    '--in-order': 'each person signs all documents before the next is invited',
    '--requires-auth': 'signees log in with an e-ID first',
  },
  help: [
    'The plan is an array of {"flowKey", "pdf", "fileName", "signees": [{"name", "email", ' +
      '"phoneNumber", "ssn", "signatureType", "delivery"}], "meta", "reminderRule"}. Paths ' +
      'are relative to the folder of the plan. A person on several documents gets one invitation.',
  ],
  examples: { 'innsigli sequence create plan.json --user me@example.is': 'all or nothing' },
  exits: {
    0: 'taken',
    2: 'the plan or a value is invalid',
    5: 'no such file or flow',
    7: 'a PDF cannot be signed',
  },
  call: async (service, { plan, user, inOrder: signInOrder, requiresAuth }, { console, io }) => {
    const processes = await readPlan(plan, io);
    const request = { processes, user, signInOrder, requiresAuth };
    const view = await console.busy('Checking the documents', () =>
      namingPlan(plan, () => service.processes.createSequence(request)),
    );
    return { view, frontEnd: service.frontEnd };
  },
  document: ({ view, frontEnd }) => ({ sequence: sequenceDocument(view, frontEnd) }),
  text: async ({ view, frontEnd }, { console, globals }) => {
    console.note(sequenceLines(view, frontEnd, await console.style('stderr')));
    console.note(nextStep(view.processes, globals, view.sequence));
    console.result(view.sequence.key);
  },
});

/** Returns the result of `work`. An error about a document names its position in the plan. */
async function namingPlan<T>(plan: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    const message = error.message.replace(/^processes(?=\[\d)/, () => plan);
    throw restated(error, { message });
  }
}

async function readPlan(
  path: string,
  io: CommandContext['io'],
): Promise<readonly ProcessRequest[]> {
  const plan = await readJsonInput(path, io);
  if (!Array.isArray(plan) || plan.length === 0) {
    const message = `${path}: expected an array of at least one document`;
    throw new InnsigliError('validation.error', message);
  }
  const folder = path === '-' ? io.cwd : dirname(resolve(io.cwd, path));
  return plan.map((each: Readonly<Record<string, unknown>>, at) => {
    const where = `${path}[${at}]`;
    requireMembers(each, planMembers, where);
    const { pdf, signees, flowKey, ...rest } = each;
    const isPath = pdf === undefined || typeof pdf === 'string';
    if (typeof flowKey !== 'string' || !Array.isArray(signees) || !isPath) {
      throw new InnsigliError('validation.error', `${where}: expected flowKey, signees and a pdf`);
    }
    requireSigneeMembers(signees, `${where}.signees`);
    const content = pdf === undefined ? {} : { pdf: readOptionFile(pdf, folder) };
    const usual = pdf === undefined ? {} : { fileName: basename(pdf) };
    // The use case validates the members, as for every caller.
    return { ...usual, ...rest, flowKey, signees, ...content } as ProcessRequest;
  });
}
