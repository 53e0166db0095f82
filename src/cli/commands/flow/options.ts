import type { FlowService } from '../../../app/flow/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { readOptionFile } from '../option-values.ts';

/** Runs `work` with the flows of the company that the user works for. */
export function useFlows<T>(
  context: CommandContext,
  work: (toolkit: FlowService) => Promise<T>,
): Promise<T> {
  return useService(context, ({ flows }) => work(flows));
}

/** Options that say what a flow shall be. */
export interface WishOptions {
  readonly name?: string;
  readonly type?: string;
  readonly language?: string;
  readonly settings?: string;
  readonly set?: readonly string[];
  readonly css?: string;
  readonly template?: string;
}

/** What the options ask of a flow: a JSON file, and single members that come before it. */
export function wishFrom(options: WishOptions, cwd: string): Readonly<Record<string, unknown>> {
  const file = options.settings === undefined ? {} : readJsonObject(options.settings, cwd);
  const { name, type, language, css } = options;
  const set = Object.fromEntries((options.set ?? []).map(readSetting));
  const settings = { ...(file['settings'] as object | undefined), ...set };
  return {
    ...file,
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(language === undefined ? {} : { language }),
    ...(css === undefined ? {} : { css: readText(css, cwd) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** Members of a flow with the options that they came by. */
export function wishNames(options: WishOptions): Readonly<Record<string, string>> {
  const { name, language, css, settings, set } = options;
  const file = settings === undefined ? undefined : `${settings}: settings`;
  return {
    template: '--template',
    ...(name === undefined ? {} : { name: '--name' }),
    ...(options.type === undefined ? {} : { type: '--type' }),
    ...(language === undefined ? {} : { language: '--language' }),
    ...(css === undefined ? {} : { css: '--css' }),
    settings: set === undefined && file !== undefined ? file : '--set',
  };
}

/** The object in a JSON file. @throws io.*, usage.invalid */
export function readJsonObject(path: string, cwd: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readText(path, cwd));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuseUsage(`${path}: expected a JSON object, found other text`);
}

/** The text of a file. @throws io.* */
export function readText(path: string, cwd: string): string {
  return Buffer.from(readOptionFile(path, cwd))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** `expiresAfterDays=14`, `mayDecline=true`, `reminderRule=1:3`, `defaultSignees=[…]` */
export function readSetting(pair: string): readonly [name: string, value: unknown] {
  const at = pair.indexOf('=');
  if (at < 1) refuseUsage(`--set: expected NAME=VALUE, found "${pair.slice(0, 40)}"`);
  const text = pair.slice(at + 1);
  const isJson = /^(?:true|false|null|-?\d{1,9}|[[{].*)$/s.test(text);
  try {
    return [pair.slice(0, at), isJson ? JSON.parse(text) : text];
  } catch {
    return refuseUsage(`--set ${pair.slice(0, at)}: expected JSON, found "${text.slice(0, 40)}"`);
  }
}
