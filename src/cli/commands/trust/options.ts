import { resolve } from 'node:path';
import type { TrustProfiles } from '../../../wire/trust-profiles.ts';
import { type CommandContext, loadConfig, toolkitIo } from '../../context.ts';

/** The trust profiles of the data directory. */
export async function openProfiles(
  context: CommandContext,
  proxy?: string,
): Promise<TrustProfiles> {
  const { config } = await loadConfig(context, proxy === undefined ? {} : { proxy });
  const { openTrustProfiles } = await import('../../../wire/trust-profiles.ts');
  return openTrustProfiles(config, toolkitIo(context));
}

/** Returns paths of the command line as absolute paths. */
export function absolutePaths(
  paths: readonly string[] | undefined,
  { io }: CommandContext,
): readonly string[] | undefined {
  return paths?.map((path) => resolve(io.cwd, path));
}

/** The option for the signers of the first list. */
export const signerOption = {
  '--signer <path>': {
    text: 'certificate of its signer: file or folder (repeatable)',
    many: true,
  },
} as const;

/** The option for lists that have lost most of their entries. */
export const shrunkenOption = {
  '--accept-shrunken': 'accept lists that lack most entries of the stored ones',
} as const;

/** Help about rejected lists. */
export const keptHelp =
  'A list that is invalid, older, out of date, or has lost most of its entries never replaces ' +
  'a good one.';
