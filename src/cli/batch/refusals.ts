import { type ErrorCode, errorKinds } from '../../base/errors.ts';
import type { ErrorData } from '../../wire/threads/thread-channel.ts';
import type { BatchTask, FailureRecord } from './batch.types.ts';

const aboutInputs = /^(?:(?:pdf|xml|container|limit|asn1|cms|archive)\.|certificate\.expired$)/;

/** True for an error that says that the input is at fault, and nothing around it. */
export function isRefusal(code: string): boolean {
  const { exitCode } = errorKinds[code as ErrorCode] ?? {};
  return aboutInputs.test(code) && (exitCode === 6 || exitCode === 7);
}

/** True for a failure that the same command would meet again as long as its files stay. */
export function isSettled(code: string): boolean {
  return isRefusal(code) || code === 'usage.output.exists';
}

/** The record for a refused input; undefined for other failures. */
export function refusalOf(
  { path, sizeBytes, mtimeMs }: BatchTask,
  error: ErrorData,
): { refusal?: FailureRecord } {
  if (!isRefusal(error.code)) return {};
  return { refusal: { input: path, inputBytes: sizeBytes, mtimeMs, error } };
}

/** True when the input is still the file that was refused. */
export function isStillRefused(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  refused: FailureRecord,
): boolean {
  return size === refused.inputBytes && mtimeMs === refused.mtimeMs;
}
