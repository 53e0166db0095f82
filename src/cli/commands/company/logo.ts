import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { namingOptions, readOptionFile } from '../option-values.ts';

interface LogoOptions {
  readonly remove?: boolean;
}

/** Adds `company logo` to the command tree. */
export function defineCompanyLogo(company: Command, start: Start): void {
  const command = company
    .command('logo')
    .summary('set the logo at the head of mails')
    .description('Set the picture that mails of a company begin with, or take it away.')
    .argument('[file]', 'PNG or JPEG, at most 64 KiB')
    .option('--remove', 'mails have no logo any more');
  documentCommand(command, {
    text: [
      'The picture goes with each mail and is shown 220 by 60 pixels large at most; nothing is ' +
        'loaded from elsewhere. Mail texts of your own show it where they name ' +
        '<img src="cid:logo" alt="…">.',
    ],
    examples: [
      ['innsigli company logo logo.png', 'mails begin with it'],
      ['innsigli company logo --remove', 'and no longer'],
    ],
    exits: [
      [0, 'set, or taken away'],
      [2, 'it is no PNG or JPEG, or too large'],
      [5, 'no such file or company'],
    ],
  });
  command.action((file: string | undefined, options: LogoOptions, self: Command) =>
    start(self, (context) => runCompanyLogo(file, options, context)),
  );
}

/** Sets or removes the logo. */
export async function runCompanyLogo(
  file: string | undefined,
  { remove = false }: LogoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  if (remove === (file !== undefined)) refuseUsage('expected a file or --remove, one of the two');
  const content = file === undefined ? undefined : readOptionFile(file, io.cwd);
  const logo = await useService(context, (service) =>
    namingOptions({ logo: 'file' }, () => service.setLogo(content)),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'company logo', logo: logo ?? null });
    return 0;
  }
  console.note(
    logo === undefined
      ? 'mails have no logo'
      : `mails begin with the logo of ${logo.width} × ${logo.height} pixels`,
  );
  return 0;
}
