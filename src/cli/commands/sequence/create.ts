import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ProcessRequest } from '../../../app/process/index.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { nextStep, sequenceDocument, sequenceLines } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { namingOptions, readJsonInput, readOptionFile, readUser } from '../option-values.ts';
import { requireMembers, requireSigneeMembers } from '../process/signee-options.ts';

interface ParsedOptions {
  readonly user: string;
  readonly inOrder?: boolean;
  readonly requiresAuth?: boolean;
}

/** Members of one document of the plan. */
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

/** Adds `sequence create` to the command tree. */
export function defineSequenceCreate(group: Command, start: Start): void {
  const command = group
    .command('create')
    .summary('take several documents for signature, as one')
    .description('Take several documents for signature: each person gets one invitation.')
    .argument('<plan>', 'JSON file with an array of documents, or - for stdin')
    .requiredOption('--user <e-mail>', 'who starts it; nobody else may cancel it')
    .option('--in-order', 'the first person signs all documents before the second is told')
    .option('--requires-auth', 'signees log in with an e-ID first');
  documentCommand(command, {
    text: [
      'The plan is an array of {"flowKey", "pdf", "fileName", "signees": [{"name", "email", ' +
        '"phoneNumber", "ssn", "signatureType", "delivery"}], "meta", "reminderRule"}. Paths ' +
        'stand against the folder of the plan. The same person on several documents is one.',
    ],
    examples: [['innsigli sequence create plan.json --user me@example.is', 'all or nothing']],
    exits: [
      [0, 'taken'],
      [2, 'the plan or a value is wrong'],
      [5, 'no such file or flow'],
      [7, 'a PDF cannot be signed'],
    ],
  });
  command.action((plan: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runSequenceCreate(plan, options, context)),
  );
}

/** Takes the documents of the plan and prints the sequence. */
export async function runSequenceCreate(
  plan: string,
  { user, inOrder, requiresAuth }: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const processes = await readPlan(plan, io);
  const starter = readUser(user) ?? '';
  const request = { processes, user: starter, signInOrder: inOrder, requiresAuth };
  const { view, frontEnd } = await useService(context, async (service) => ({
    view: await console.busy('Checking the documents', () =>
      namingOptions({ requiresAuth: '--requires-auth' }, () =>
        namingPlan(plan, () => service.processes.createSequence(request)),
      ),
    ),
    frontEnd: service.frontEnd,
  }));
  if (console.mode.json) {
    console.document({
      v: 1,
      command: 'sequence create',
      sequence: sequenceDocument(view, frontEnd),
    });
    return 0;
  }
  console.note(sequenceLines(view, frontEnd, await console.style('stderr')));
  console.note(nextStep(view.processes, context.globals, view.sequence));
  console.result(view.sequence.key);
  return 0;
}

/** What `work` gives; an error about a document says where it stands in the plan. */
async function namingPlan<T>(plan: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    const { code, message, hint, details, cause } = error;
    const told = message.replace(/^processes(?=\[\d)/, () => plan);
    if (told === message) throw error;
    const named = told.replace('.pdfDocument: ', '.pdf: ').replace('.pdfFileName: ', '.fileName: ');
    throw new InnsigliError(code, named, {
      details,
      cause,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

async function readPlan(
  path: string,
  io: CommandContext['io'],
): Promise<readonly ProcessRequest[]> {
  const plan = await readJsonInput(path, io);
  if (!Array.isArray(plan) || plan.length === 0) {
    throw new InnsigliError(
      'validation.error',
      `${path}: expected an array of one document or more`,
    );
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
    // What the members hold is checked by the use case, as for every program.
    return { ...usual, ...rest, flowKey, signees, ...content } as ProcessRequest;
  });
}
