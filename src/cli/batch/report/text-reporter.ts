import { InnsigliError } from '../../../base/errors.ts';
import { type ErrorData, errorOf } from '../../../wire/threads/thread-channel.ts';
import type { CommandContext } from '../../context.ts';
import { byteCount, type Console, counted, printable } from '../../output/index.ts';
import { hintLines } from '../../report/index.ts';
import type {
  BatchSummary,
  BatchTask,
  ItemResult,
  ProgressReporter,
  ReporterOptions,
} from '../batch.types.ts';

const pastTense = {
  seal: 'sealed',
  'seal-xml': 'sealed',
  archive: 'archived',
  verify: 'checked',
} as const;

/**
 * Reports to people: on a terminal a spinner with counts, elsewhere one line per document. Results
 * (paths, verification results) go to stdout, failures and the summary to stderr.
 */
export function openTextReporter(
  options: ReporterOptions,
  context: CommandContext,
): ProgressReporter {
  const { command } = options;
  const { io, console, globals } = context;
  const spinner = openSpinner(options, context);
  // On a terminal the counts are enough; other programs need the paths.
  const hidesPaths = spinner !== undefined && io.stdout.isTerminal && command !== 'verify';
  const said = new Set<string>();
  const isFirst = (text: string) => !said.has(text) && said.add(text) !== undefined;

  const fail = async ({ name }: BatchTask, error: ErrorData) => {
    const { code, hint, details, message } = errorOf(error);
    // Repeating the same advice for each of a thousand files does not help.
    const advice = hint !== undefined && isFirst(hint) ? { hint } : {};
    const text = message.includes(name) ? message : `${name}: ${message}`;
    await console.error(new InnsigliError(code, text, { details, ...advice }), globals.debug);
  };
  return {
    async item(task, result, soFar) {
      const { error, hint, reason, warnings = [] } = result;
      // Problems of signatures are reported for each document; advice on sealing only once.
      const news = command === 'verify' ? warnings : warnings.filter(isFirst);
      if (error !== undefined || news.length > 0 || !hidesPaths) spinner?.stop();
      if (error !== undefined) await fail(task, error);
      else if (!hidesPaths) console.result(resultLine(task, result));
      if (reason !== undefined) console.detail(`${task.name}: ${reason}`);
      if (hint !== undefined && isFirst(hint)) {
        console.note(hintLines(hint, await console.style('stderr')));
      }
      for (const warning of news) await console.warn(`${task.name}: ${warning}`);
      await spinner?.turn(soFar);
    },
    async finish(summary) {
      spinner?.stop();
      console.note(await summaryLines(summary, options, console));
    },
    abandon: () => spinner?.stop(),
    makeRoom: () => spinner?.stop(),
  };
}

function openSpinner({ command, total }: ReporterOptions, { io, console }: CommandContext) {
  // On a terminal of unknown width, a spinner would clear lines endlessly.
  const turns = io.stderr.isTerminal && io.stderr.columns !== 0;
  if (!turns || console.mode.quiet) return undefined;
  let spinner: Awaited<ReturnType<typeof io.startSpinner>> | undefined;
  let isStarting = false;
  let stops = 0;
  return {
    async turn({ done, skipped, failed }: BatchSummary) {
      const of = total === undefined ? '' : `/${total}`;
      const bad = failed === 0 ? '' : `, ${failed} failed`;
      const text = `${done + skipped + failed}${of} processed, ${done} ${pastTense[command]}${bad}`;
      if (spinner !== undefined) spinner.say?.(text);
      else if (!isStarting) {
        isStarting = true;
        const before = stops;
        const isWanted = () => stops === before;
        const started = await io.startSpinner(text, isWanted);
        if (isWanted()) spinner = started;
        isStarting = false;
      }
    },
    stop() {
      stops += 1;
      spinner?.stop();
      spinner = undefined;
    },
  };
}

function resultLine(task: BatchTask, { verdict }: ItemResult): string {
  if (verdict !== undefined) return `${verdict.padEnd(13)} ${printable(task.name)}`;
  return printable(task.outputName ?? task.name);
}

async function summaryLines(
  summary: BatchSummary,
  { command, continueHint }: ReporterOptions,
  console: Console,
): Promise<readonly string[]> {
  const { green, red, yellow } = await console.style('stderr');
  const { done, skipped, failed, elapsedMs, interrupted, total, verdicts = {} } = summary;
  const isGood = failed === 0 && !interrupted;
  const { 'TOTAL-PASSED': _passed, INDETERMINATE: open, ...failedVerdicts } = verdicts;
  const isNo = !isGood || Object.keys(failedVerdicts).length > 0;
  const sign = isNo ? red('✗') : open === undefined ? green('✓') : yellow('!');
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const left = total - done - skipped - failed;
  const parts = [
    `${done} ${pastTense[command]}`,
    ...Object.entries(verdicts).map(([name, count]) => `${count} ${name}`),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} not started`] : []),
  ];
  const canGoOn = interrupted || left > 0 || summary.open > 0;
  const rate = done / seconds;
  const speed = `${seconds.toFixed(2)} s, ${rate.toFixed(rate < 10 ? 1 : 0)} per second`;
  const requests = summary.timestampRequests;
  return [
    `${sign} ${parts.join(', ')}`,
    `  ${byteCount(summary.inputBytes)} in ${speed}`,
    ...(requests > 0 ? [`  ${counted(requests, 'time-stamp request')}`] : []),
    ...(canGoOn && continueHint !== undefined ? [continueHint] : []),
  ];
}
