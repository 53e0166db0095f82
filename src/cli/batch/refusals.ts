import { type ErrorCode, errorKinds } from '../../base/errors.ts';
import type { ErrorData } from '../../wire/threads/thread-channel.ts';
import type { BatchTask, FailureRecord } from './batch.types.ts';

const aboutInputs = /^(?:(?:pdf|xml|container|limit|asn1|cms|archive)\.|certificate\.expired$)/;

/** True for an error caused by the input alone. */
export function isRefusal(code: string): boolean {
  const { exitCode } = errorKinds[code as ErrorCode] ?? {};
  return aboutInputs.test(code) && (exitCode === 6 || exitCode === 7);
}

/** True for a failure that the same command would meet again as long as its files do not change. */
export function isSettled(code: string): boolean {
  return isRefusal(code) || code === 'usage.output.exists';
}

/** The journal entry for a rejected input. Undefined for other failures. */
export function refusalOf(
  { path, sizeBytes, mtimeMs }: BatchTask,
  error: ErrorData,
): { refusal?: FailureRecord } {
  if (!isRefusal(error.code)) return {};
  return { refusal: { input: path, inputBytes: sizeBytes, mtimeMs, error } };
}

/** True if the input is still the file that was rejected. */
export function isStillRefused(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  refused: FailureRecord,
): boolean {
  return size === refused.inputBytes && mtimeMs === refused.mtimeMs;
}
