import { defined } from '../../base/defined.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { isTurnOf, type Signee, type SigningProcess } from '../../domain/process/index.ts';
import { type Sequence, sequenceTurn } from '../../domain/sequence.ts';
import { nextLine, type Place } from '../advice.ts';
import { printable, type Style } from '../output/index.ts';

/** A process as shown in JSON output; dates in ISO 8601. */
export function processDocument(process: SigningProcess, frontEnd?: string): object {
  const { key, status, phase, finalization, flowKey, flowName, flowType, fileName } = process;
  const { user, sequenceKey, reason, document, signInOrder, requiresAuth, attachments } = process;
  return defined({
    ...{ key, status, finalization: { phase, ...finalization } },
    ...{ flowKey, flowName, flowType, fileName, user, sequenceKey, reason },
    createdAt: isoTime(process.createdAtMs),
    expiresAt: isoTime(process.expiresAtMs),
    endedAt: timeOf(process.endedAtMs),
    purgedAt: timeOf(process.purgedAtMs),
    ...{ document, signInOrder, requiresAuth },
    attachments: attachments.map(({ key: id, fileName: name, type, contentType }) => ({
      ...{ id, fileName: name, type, contentType },
    })),
    signees: process.signees.map((signee) => signeeDocument(process, signee, frontEnd)),
  });
}

/** Text lines about a process. */
export function processLines(process: SigningProcess, style: Style): readonly string[] {
  const { key, fileName, createdAtMs, expiresAtMs, endedAtMs, reason } = process;
  const { flowName, flowKey, user, finalization } = process;
  const { bold, dim, red } = style;
  const rows = process.signees.map((signee) => [printable(signee.name), signee.signatureType]);
  const [names = 0, types = 0] = [0, 1].map((at) => widest(rows.map((row) => row[at] ?? '')));
  const end =
    endedAtMs === undefined ? `open until ${minute(expiresAtMs)}` : `ended ${minute(endedAtMs)}`;
  const owner = user === undefined ? '' : `, of ${printable(user)}`;
  const { errorCode, errorMessage = '' } = finalization;
  const isFailing = errorCode !== undefined && process.status !== 'Completed';
  return [
    `${bold(printable(key))}  ${state(process)}  ${printable(fileName)}`.trimEnd(),
    dim(`  created ${minute(createdAtMs)}, ${end}`),
    dim(`  flow ${printable(flowName)} (${printable(flowKey)})${owner}`),
    ...(reason === undefined ? [] : [`  reason: ${printable(reason)}`]),
    ...(isFailing
      ? [red(`  sealing failed ${finalization.attempts}×: ${printable(errorMessage)}`)]
      : []),
    ...process.signees.flatMap((signee) => signeeLines(signee, names, types, style)),
    ...process.attachments.map(
      (attachment) => `  ${attachment.key}  ${printable(attachment.fileName)}`,
    ),
  ];
}

function signeeLines(
  signee: Signee,
  names: number,
  types: number,
  { dim, red }: Style,
): readonly string[] {
  const { key, signatureType, state: step, delivery, undelivered } = signee;
  const when = signee.signedAtMs === undefined ? '' : ` ${minute(signee.signedAtMs)}`;
  const name = printable(signee.name).padEnd(names);
  const invitedAtMs = delivery === 'None' ? undefined : signee.invitedAtMs;
  const { viewedAtMs, authenticatedAtMs: loginAtMs } = signee;
  const times = [
    delivery === 'None' ? 'not notified' : `by ${delivery}`,
    ...(invitedAtMs === undefined ? [] : [`invited ${minute(invitedAtMs)}`]),
    ...(viewedAtMs === undefined ? [] : [`viewed ${minute(viewedAtMs)}`]),
    ...(loginAtMs === undefined ? [] : [`logged in ${minute(loginAtMs)}`]),
  ];
  const fault = undelivered?.errorCode === undefined ? '' : ` (${undelivered.errorCode})`;
  return [
    `  ${key}  ${name}  ${signatureType.padEnd(types)}  ${step}${when}`,
    dim(`    ${times.join(', ')}`),
    ...(undelivered === undefined
      ? []
      : [red(`    ${undelivered.template} by ${undelivered.channel} was not delivered${fault}`)]),
  ];
}

/**
 * The next step after processes were created or changed: the worker invites those whose turn it is.
 */
export function nextStep(
  processes: readonly SigningProcess[],
  place: Place,
  sequence?: Sequence,
): string {
  const turn = sequence === undefined ? undefined : sequenceTurn(sequence, processes);
  const context = turn === undefined ? {} : { sequenceTurn: turn };
  const deliveries = processes.flatMap((process) =>
    process.signees
      .filter((signee) => isTurnOf(process, signee, context))
      .map(({ delivery }) => delivery),
  );
  if (deliveries.some((delivery) => delivery !== 'None')) {
    return nextLine('send the invitations', 'worker --once', place);
  }
  const isLater = processes.some(({ signees }) =>
    signees.some(({ delivery }) => delivery !== 'None'),
  );
  return isLater
    ? 'Next: hand over the first link yourself; its delivery is None'
    : 'Next: hand over the links yourself; every delivery is None';
}

/** One line per process. */
export function processTable(
  processes: readonly SigningProcess[],
  { bold, dim }: Style,
): readonly string[] {
  const width = widest(processes.map(state));
  const files = widest(processes.map(({ fileName }) => printable(fileName)));
  const flows = widest(processes.map(({ flowName }) => printable(flowName)));
  return processes.map((process) => {
    const { key, fileName, createdAtMs, signees, flowName, user = '' } = process;
    const signed = signees.filter((signee) => signee.state === 'Signed').length;
    const parts = [state(process).padEnd(width), dim(minute(createdAtMs))];
    const count = `${signed} of ${signees.length} signed`;
    const what = [printable(fileName).padEnd(files), printable(flowName).padEnd(flows)];
    return [bold(printable(key)), ...parts, count, ...what, printable(user)].join('  ').trimEnd();
  });
}

function state({ status, phase, purgedAtMs, finalization }: SigningProcess): string {
  const { errorCode } = finalization;
  if (purgedAtMs !== undefined) return `${status} · purged`;
  if (phase !== 'Finalizing' && phase !== 'FinalizeFailed') return status;
  return `${status} · ${phase}${errorCode === undefined ? '' : ` (${errorCode})`}`;
}

function timeOf(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : isoTime(atMs);
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

/** Formats a time as `2026-01-31 12:00Z`. */
export function minute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

function signeeDocument({ key: processKey }: SigningProcess, signee: Signee, frontEnd?: string) {
  const { key, name, state, order, signatureType, delivery, undelivered } = signee;
  return defined({
    ...{ key, name, order, state, signatureType, delivery },
    invitedAt: delivery === 'None' ? undefined : timeOf(signee.invitedAtMs),
    viewedAt: timeOf(signee.viewedAtMs),
    authenticatedAt: timeOf(signee.authenticatedAtMs),
    signedAt: timeOf(signee.signedAtMs),
    undelivered,
    url: frontEnd === undefined ? undefined : `${frontEnd}/s/${processKey}/${key}`,
  });
}
