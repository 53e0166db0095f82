import type { FlowDetails } from '../../../app/flow/index.ts';
import { reading, textOfFile } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';

/** A JSON object and the file it was read from. */
export interface JsonObjectFile {
  readonly path: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Reads the object in a JSON file. */
export const jsonObjectFile = reading((path, name, context): JsonObjectFile => {
  try {
    const value: unknown = JSON.parse(textOfFile.read(path, name, context));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { path, members: value as JsonObjectFile['members'] };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuseUsage(`${path}: expected a JSON object, found other text`);
});

/** Options that define a flow. */
export interface FlowOptions {
  readonly name: string | undefined;
  readonly type?: string | undefined;
  readonly language: string | undefined;
  readonly settings: JsonObjectFile | undefined;
  readonly set: readonly (readonly [name: string, value: unknown])[] | undefined;
  readonly css: string | undefined;
}

/** Returns a flow's members: those of a JSON file, overridden by individual options. */
export function flowMembers(options: FlowOptions): Readonly<Record<string, unknown>> {
  const file = options.settings?.members ?? {};
  const { name, type, language, css, set = [] } = options;
  const settings = { ...(file['settings'] as object | undefined), ...Object.fromEntries(set) };
  const given = Object.entries({ name, type, language, css });
  return {
    ...file,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** Sources of flow members that came from the file or `--set`, for errors. */
export function flowNames({ settings: file, set, ...options }: FlowOptions) {
  const members = Object.entries(options).filter(
    ([name, value]) => value === undefined && file !== undefined && name in file.members,
  );
  return {
    ...Object.fromEntries(members.map(([name]) => [name, `${file?.path ?? ''}: ${name}`])),
    settings: set === undefined && file !== undefined ? `${file.path}: settings` : '--set',
  };
}

/** Returns a flow with the address of its customer page, if customers may start it. */
export function withFormUrl(
  flow: FlowDetails,
  frontEnd: string,
): FlowDetails & { readonly formUrl?: string } {
  const isOpen = flow.active && flow.initiationMethod === 'Customer';
  return isOpen ? { ...flow, formUrl: `${frontEnd}/s/${flow.flowKey}` } : flow;
}
