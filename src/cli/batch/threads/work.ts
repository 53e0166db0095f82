import { basename } from 'node:path';
import type { SealedDocument } from '../../../app/documents/sealed-document.ts';
import { type ByteSource, sha256Of } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { VerificationReport } from '../../../verify/report/index.ts';
import { type FilePlace, statPlaced } from '../../../wire/documents.ts';
import { errorData } from '../../../wire/threads/thread-channel.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import {
  closeInput,
  containerKind,
  type InputFile,
  isPdfName,
  planOutput,
  readInput,
  statPath,
  writeOutput,
} from '../../files/index.ts';
import type { CliIo } from '../../io.ts';
import { hintOf, uncoveredText } from '../../report/index.ts';
import type { BatchRequest, BatchTask, ItemResult, JournalRecord } from '../batch.types.ts';
import { checkExisting, isReplaced } from '../plan/existing.ts';
import { isStillRefused, refusalOf } from '../refusals.ts';

/** Dependencies of the work on a document. */
export interface WorkPorts {
  readonly io: CliIo;
  readonly toolkit: Toolkit;
  /** Resolves once the journal has recorded that this result is about to replace the input. */
  announce(record: JournalRecord): Promise<void>;
}

type WithOutput = BatchTask & { readonly output: string };

/** Processes one document. Never throws: an error is a result. */
export async function workOn(
  task: BatchTask,
  request: BatchRequest,
  ports: WorkPorts,
): Promise<ItemResult> {
  const startedMs = ports.io.now();
  const elapsed = () => ({ elapsedMs: ports.io.now() - startedMs });
  const { output, refused } = task;
  const now = refused === undefined || request.force ? undefined : statPath(task.path);
  if (refused !== undefined && now !== undefined && isStillRefused(now, refused)) {
    const reason = 'rejected earlier and unchanged since';
    const { error, inputBytes } = refused;
    return { status: 'failed', reason, inputBytes, error, refusal: refused, ...elapsed() };
  }
  try {
    const result =
      output === undefined
        ? await check(task, request, ports)
        : await make({ ...task, output }, request, ports);
    return { ...result, ...elapsed() };
  } catch (error) {
    const inputBytes = task.sizeBytes;
    const data = errorData(error);
    const refusal = output === undefined ? {} : refusalOf(task, data);
    return { status: 'failed', inputBytes, error: data, ...refusal, ...elapsed() };
  }
}

type Timeless = Omit<ItemResult, 'elapsedMs'>;

async function check(
  task: BatchTask,
  { whole, secondOpinion, atMs }: BatchRequest,
  { toolkit, io }: WorkPorts,
): Promise<Timeless> {
  const input = await readInput(task.path, io, task.place);
  try {
    const report = await toolkit.verify(input.source, [], defined({ secondOpinion, atMs }));
    const verdict = verdictOf(report, whole);
    // Content that is not covered could be overlooked only if the signatures passed.
    const isNews = report.coverage !== 'full' && report.indication === 'TOTAL-PASSED';
    const uncovered = isNews ? uncoveredText(report) : undefined;
    const warnings = uncovered === undefined ? {} : { warnings: [uncovered] };
    const inputBytes = input.source.lengthBytes;
    const hint = defined({ hint: hintOf(report) });
    return { status: 'done', inputBytes, verdict, ...hint, ...warnings, report };
  } finally {
    closeInput(input);
  }
}

/** The overall result for a document. A document without signatures is NO-SIGNATURE. */
function verdictOf({ signatures, indication, coverage }: VerificationReport, whole: boolean) {
  if (signatures.length === 0) return 'NO-SIGNATURE';
  const isLess = whole && coverage !== 'full' && indication !== 'TOTAL-FAILED';
  return isLess ? 'NOT-WHOLE' : indication;
}

async function make(task: WithOutput, request: BatchRequest, ports: WorkPorts): Promise<Timeless> {
  const before = statPath(task.path);
  const input = await readInput(task.path, ports.io, task.place);
  try {
    // The plan may be older than the document as read now.
    const current = before === undefined ? task : { ...task, mtimeMs: before.mtimeMs };
    const earlier = await doneInPlace(current, input, request, ports);
    return earlier ?? (await makeFrom(input, current, request, ports));
  } finally {
    closeInput(input);
  }
}

/** In place, the input is the result: the journal records which one, and the document proves it. */
async function doneInPlace(
  { recorded }: WithOutput,
  { source }: InputFile,
  request: BatchRequest,
  { toolkit }: WorkPorts,
): Promise<Timeless | undefined> {
  if (!request.inPlace || recorded === undefined) return undefined;
  if (!(await isReplaced(source, recorded, request, toolkit))) return undefined;
  const { inputBytes, outputBytes } = recorded;
  const reason = 'done earlier';
  return { status: 'skipped', reason, inputBytes, outputBytes, ...settled(recorded) };
}

// An intent that was carried out becomes a result.
function settled({ isIntent, ...record }: JournalRecord): { record?: JournalRecord } {
  return isIntent === true ? { record } : {};
}

async function makeFrom(
  input: InputFile,
  task: WithOutput,
  request: BatchRequest,
  ports: WorkPorts,
): Promise<Timeless> {
  const { io, toolkit } = ports;
  const { source } = input;
  const { inPlace } = request;
  const place = placeOf(task, request);
  let { force } = request;
  const found = () => (place === undefined ? statPath(task.output) : statPlaced(place));
  const existing = inPlace ? undefined : found();
  if (existing !== undefined && request.acceptExisting && existing.isFile()) {
    // A run was killed after claiming the name, and left an empty file.
    if (existing.size === 0) force = true;
    else if (input.identity !== `${existing.dev}:${existing.ino}`) {
      const conclusion = await checkExisting(task, place, source, request, ports);
      if (conclusion.isGood) return skipped(task, conclusion.record);
      if (!force) throw notOurs(task, conclusion.reason);
    }
  }
  const named = { ...input, name: task.name };
  const options = { force, inPlace, existsHint, ...defined({ place }) };
  const plan = planOutput(task.outputName ?? task.output, named, options, io);
  const outcome = await carryOut(request, task, source, toolkit);
  const record = recordOf(task, source.lengthBytes, outcome);
  if (inPlace) await ports.announce(record);
  // The journal makes many directory entries durable together, before it records them as done.
  writeOutput(plan, named, outcome, io, 'by-caller');
  const { inputBytes, outputBytes } = record;
  return { status: 'done', ...factsOf(outcome), inputBytes, outputBytes, record };
}

/** Position of the result: below a folder that was found or named when the batch started. */
function placeOf(
  { place, outputBelow }: WithOutput,
  { inPlace, outRoot }: BatchRequest,
): FilePlace | undefined {
  if (inPlace) return place;
  return outRoot && outputBelow ? { root: outRoot, below: outputBelow } : undefined;
}

/** The journal gets the entry only if it does not have it yet. */
function skipped({ recorded }: WithOutput, record: JournalRecord): Timeless {
  const { inputBytes, outputBytes, tailSha256 } = record;
  const isKnown = recorded?.output === record.output && recorded.tailSha256 === tailSha256;
  const reason = isKnown ? 'done earlier' : 'the output is valid';
  return {
    ...{ status: 'skipped', reason, inputBytes, outputBytes },
    ...(isKnown && recorded?.isIntent !== true ? {} : { record }),
  };
}

async function carryOut(
  { command, seal, sealXml, isXml, container, form, timestampOnly, inPlace }: BatchRequest,
  { relative }: BatchTask,
  source: ByteSource,
  toolkit: Toolkit,
): Promise<SealedDocument> {
  if (timestampOnly) {
    const isPdf = inPlace || isPdfName(relative);
    return toolkit.timestamp(source, basename(relative), isPdf ? 'pdf' : 'container');
  }
  if (command === 'archive') return toolkit.augment(source);
  if (command === 'seal') return toolkit.seal(source, seal);
  const kind = container ?? (isXml ? undefined : await containerKind(source));
  if (kind === undefined) return toolkit.sealXml(source, sealXml);
  const {
    packaging: _packaging,
    id: _id,
    parent: _parent,
    transform: _transform,
    ...request
  } = sealXml;
  const options = { ...request, container: kind, ...(form === undefined ? {} : { format: form }) };
  return toolkit.sealFiles([{ name: basename(relative), source }], options);
}

function recordOf(
  task: WithOutput,
  inputBytes: number,
  { keptBytes, tail, signatureId }: SealedDocument,
): JournalRecord {
  return {
    input: task.path,
    inputBytes,
    mtimeMs: task.mtimeMs,
    output: task.output,
    outputBytes: keptBytes + tail.length,
    ...(keptBytes === inputBytes ? {} : { keptBytes }),
    tailSha256: sha256Of(tail),
    ...defined({ signatureId }),
  };
}

function factsOf(sealed: SealedDocument) {
  const { level, field, signatureId, timestampRequests, provesUntil, warnings } = sealed;
  return defined({ level, field, signatureId, timestampRequests, provesUntil, warnings });
}

const existsHint =
  'pass --skip-existing to keep valid results, --resume to continue an interrupted batch, ' +
  'or --force to replace them';

function notOurs({ output, outputName = output }: WithOutput, reason: string): InnsigliError {
  return new InnsigliError('usage.output.exists', `the output ${outputName} exists and ${reason}`, {
    details: { output: outputName },
    hint: 'pass --force to replace it',
  });
}
