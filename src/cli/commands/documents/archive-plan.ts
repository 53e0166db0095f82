import { basename } from 'node:path';
import type {
  ArchivePlan,
  PlannedCertificate,
  PlannedSignature,
  PlannedStep,
  PlanProblem,
} from '../../../app/documents/plan/archive-plan.ts';
import { defined } from '../../../base/defined.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import type { FileObjectSource, Toolkit } from '../../../wire/toolkit.types.ts';
import { type CommandContext, type ExitCode, loadConfig, openToolkit } from '../../context.ts';
import { requireInput, type SettingOptions, settingsFrom } from '../../options/index.ts';
import { counted, printable, type Style } from '../../output/index.ts';

/** Options of `archive --plan`. */
export interface PlanOptions extends SettingOptions {
  readonly detached?: readonly string[] | undefined;
  readonly filesFrom?: string | undefined;
}

/** A document with its plan. The format is undefined if the document cannot be read. */
interface PlannedDocument extends Omit<ArchivePlan, 'format'> {
  readonly input: string;
  readonly format?: ArchivePlan['format'];
}

/** Prints for each document what archiving would add; nothing is fetched or written. */
export async function runArchivePlan(
  inputs: readonly string[],
  given: PlanOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const { config } = await loadConfig(context, settingsFrom(given), 'sealing');
  const names = await namesOf(inputs, given, context);
  const { readDetached } = await import('../../files/index.ts');
  const detached = await readDetached(given.detached ?? [], names, io);
  const toolkit = await openToolkit(context, config);
  const documents: PlannedDocument[] = [];
  try {
    for (const name of names) {
      const busy = `Reading ${printable(basename(name))}`;
      const plan = () => planOne(name, detached, toolkit, context);
      documents.push(await console.busy(busy, plan));
    }
  } finally {
    toolkit.close();
  }
  const authorities = config.tsa.map(({ url }) => url);
  if (console.mode.json) {
    console.document({
      ...{ v: 1, command: 'archive', plan: true },
      timestampAuthorities: authorities,
      documents,
    });
  } else {
    const style = await console.style('stdout');
    const named = authorities.length === 0 ? ['the development trust'] : authorities;
    for (const each of documents) console.result(planLines(each, named, style));
  }
  return documents.every(({ possible }) => possible) ? 0 : 7;
}

/** Names of files; a folder yields its documents. */
async function namesOf(
  inputs: readonly string[],
  { filesFrom }: PlanOptions,
  { io }: CommandContext,
): Promise<readonly string[]> {
  if (filesFrom === undefined && requireInput(inputs) === '-') return ['-'];
  const { readNameList, requireMatches, selectInputs } = await import('../../batch/index.ts');
  const listed = await readNameList(filesFrom, io);
  const request = { command: 'archive', cwd: io.cwd, inputs, listed, suffix: '' } as const;
  const entries = await selectInputs(request);
  if (entries.length === 0) await requireMatches(inputs, io.cwd);
  return entries.map(({ name }) => name);
}

async function planOne(
  name: string,
  detached: readonly FileObjectSource[],
  toolkit: Toolkit,
  { io }: CommandContext,
): Promise<PlannedDocument> {
  const { closeInput, readInput } = await import('../../files/index.ts');
  try {
    const input = await readInput(name, io);
    try {
      return { input: name, ...(await toolkit.planArchive(input.source, detached)) };
    } finally {
      closeInput(input);
    }
  } catch (error) {
    if (!isInnsigliError(error) || /^(config|key|trust)\./.test(error.code)) throw error;
    const { code, message, hint } = error;
    const problems = [{ code, message, ...defined({ hint }) }];
    const nothing = { timestampRequests: 0, signatures: [], warnings: [] };
    return { input: name, possible: false, problems, ...nothing };
  }
}

const stepTexts: Readonly<Record<PlannedStep, string>> = {
  timestamp: 'a time-stamp',
  'validation-data': 'validation data',
  'archive-timestamp': 'an archive time-stamp',
};

function planLines(
  document: PlannedDocument,
  authorities: readonly string[],
  style: Style,
): readonly string[] {
  const { input, possible, timestampRequests, signatures, problems, warnings } = document;
  const mark = possible ? style.green('✓') : style.red('✗');
  const requests = counted(timestampRequests, 'time-stamp request');
  const says = possible ? `${requests} to ${authorities.join(', or ')}` : 'cannot be archived';
  const told = new Set<string>();
  return [
    `${mark} ${style.bold(printable(input))}  ${says}`,
    ...problems.flatMap((problem) => problemLines(problem, '  ', told, style)),
    ...warnings.map((warning) => `  ${style.yellow('!')} ${printable(warning)}`),
    ...signatures.flatMap((signature) => signatureLines(signature, told, style)),
  ];
}

function signatureLines(
  { name, kind, level, missing, certificates, problems }: PlannedSignature,
  told: Set<string>,
  style: Style,
): readonly string[] {
  const what = kind === 'signature' ? (level ?? 'no level') : 'document time-stamp';
  const needs = missing.map((step) => stepTexts[step]).join(', ');
  return [
    `  ${printable(name)}  ${what}: ${needs === '' ? 'stays as it is' : `needs ${needs}`}`,
    ...certificates.flatMap((each) => certificateLines(each, style)),
    ...problems.flatMap((problem) => problemLines(problem, '    ', told, style)),
  ];
}

function certificateLines(
  { subject, revocation, addresses }: PlannedCertificate,
  style: Style,
): readonly string[] {
  const says = {
    'not-needed': 'no status needed',
    present: 'revocation data present',
    own: 'issued by the development trust',
    fetch: 'would ask',
    missing: style.red('no revocation data, and no address to fetch it from'),
    revoked: style.red('revoked'),
  }[revocation];
  return [
    `    ${style.dim(printable(subject))}  ${says}`,
    ...addresses.map((address) => `      ${printable(address)}`),
  ];
}

function problemLines(
  { code, message, hint }: PlanProblem,
  indent: string,
  told: Set<string>,
  style: Style,
): readonly string[] {
  const line = `${indent}${style.red('✗')} ${printable(message)} [${code}]`;
  // Signatures often lack the same certificate, so the hint is printed only once.
  if (hint === undefined || told.has(hint)) return [line];
  told.add(hint);
  return [line, `${indent}  hint: ${printable(hint)}`];
}
