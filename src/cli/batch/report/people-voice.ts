import { InnsigliError } from '../../../base/errors.ts';
import { type ErrorData, errorOf } from '../../../wire/threads/thread-channel.ts';
import type { CommandContext } from '../../context.ts';
import { byteCount, counted, printable, type Talk } from '../../output/index.ts';
import type { BatchSummary, BatchTask, ItemResult } from '../batch.types.ts';
import type { OutletOptions, Voice } from './voice.ts';

const pastTense = {
  seal: 'sealed',
  'seal-xml': 'sealed',
  archive: 'archived',
  verify: 'judged',
} as const;

/**
 * Tells people: on a terminal a wheel with numbers, elsewhere one line for each document. Results
 * (paths, verdicts) go to stdout, failures and the summary to stderr.
 */
export function openPeopleVoice(options: OutletOptions, context: CommandContext): Voice {
  const { command } = options;
  const { io, talk, globals } = context;
  const wheel = openWheel(options, context);
  // On a terminal the numbers are enough; other programs want the paths.
  const hidesPaths = wheel !== undefined && io.stdout.isTerminal && command !== 'verify';
  const said = new Set<string>();
  const isFirst = (text: string) => !said.has(text) && said.add(text) !== undefined;

  const fail = async ({ name }: BatchTask, error: ErrorData) => {
    const { code, hint, details, message } = errorOf(error);
    // The same advice for each of a thousand files helps nobody.
    const advice = hint !== undefined && isFirst(hint) ? { hint } : {};
    const text = message.includes(name) ? message : `${name}: ${message}`;
    await talk.error(new InnsigliError(code, text, { details, ...advice }), globals.debug);
  };
  return {
    async item(task, result, soFar) {
      const { error, reason, warnings = [] } = result;
      // What is wrong with a signature is said of each one; advice of sealing once.
      const news = command === 'verify' ? warnings : warnings.filter(isFirst);
      if (error !== undefined || news.length > 0 || !hidesPaths) wheel?.stop();
      if (error !== undefined) await fail(task, error);
      else if (!hidesPaths) talk.result(resultLine(task, result));
      if (reason !== undefined) talk.detail(`${task.name}: ${reason}`);
      for (const warning of news) await talk.warn(`${task.name}: ${warning}`);
      await wheel?.turn(soFar);
    },
    async finish(summary) {
      wheel?.stop();
      talk.note(await summaryLines(summary, options, talk));
    },
    abandon: () => wheel?.stop(),
    makeRoom: () => wheel?.stop(),
  };
}

function openWheel({ command, total }: OutletOptions, { io, talk }: CommandContext) {
  // A terminal without a width: a wheel would clear lines without end.
  const turns = io.stderr.isTerminal && io.stderr.columns !== 0;
  if (!turns || talk.manner.quiet) return undefined;
  let wheel: Awaited<ReturnType<typeof io.startSpinner>> | undefined;
  let isStarting = false;
  let stops = 0;
  return {
    async turn({ done, skipped, failed }: BatchSummary) {
      const of = total === undefined ? '' : `/${total}`;
      const bad = failed === 0 ? '' : `, ${failed} failed`;
      const text = `${done + skipped + failed}${of} looked at, ${done} ${pastTense[command]}${bad}`;
      if (wheel !== undefined) wheel.say?.(text);
      else if (!isStarting) {
        isStarting = true;
        const before = stops;
        const isWanted = () => stops === before;
        const started = await io.startSpinner(text, isWanted);
        if (isWanted()) wheel = started;
        isStarting = false;
      }
    },
    stop() {
      stops += 1;
      wheel?.stop();
      wheel = undefined;
    },
  };
}

function resultLine(task: BatchTask, { verdict }: ItemResult): string {
  if (verdict !== undefined) return `${verdict.padEnd(13)} ${printable(task.name)}`;
  return printable(task.outputName ?? task.name);
}

async function summaryLines(
  summary: BatchSummary,
  { command, continueHint }: OutletOptions,
  talk: Talk,
): Promise<readonly string[]> {
  const { green, red, yellow } = await talk.style('stderr');
  const { done, skipped, failed, elapsedMs, interrupted, total, verdicts = {} } = summary;
  const isGood = failed === 0 && !interrupted;
  const { 'TOTAL-PASSED': _passed, INDETERMINATE: open, ...noes } = verdicts;
  const isNo = !isGood || Object.keys(noes).length > 0;
  const sign = isNo ? red('✗') : open === undefined ? green('✓') : yellow('!');
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const left = total - done - skipped - failed;
  const parts = [
    `${done} ${pastTense[command]}`,
    ...Object.entries(verdicts).map(([name, count]) => `${count} ${name}`),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} not begun`] : []),
  ];
  const canGoOn = interrupted || left > 0 || summary.open > 0;
  const rate = done / seconds;
  const speed = `${seconds.toFixed(2)} s, ${rate.toFixed(rate < 10 ? 1 : 0)} a second`;
  const requests = summary.timestampRequests;
  return [
    `${sign} ${parts.join(', ')}`,
    `  ${byteCount(summary.inputBytes)} in ${speed}`,
    ...(requests > 0 ? [`  ${counted(requests, 'time-stamp request')}`] : []),
    ...(canGoOn && continueHint !== undefined ? [continueHint] : []),
  ];
}
