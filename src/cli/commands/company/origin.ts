import type { Command } from 'commander';
import { originsMax } from '../../../domain/company.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { namingOptions } from '../option-values.ts';

/** Adds `company origin add`, `remove` and `list` to the command tree. */
export function defineCompanyOrigin(company: Command, start: Start): void {
  const group = company.command('origin').summary('web pages that may read answers (CORS)');
  group
    .description('Say whose web pages may read what the service answers about a company.')
    .helpCommand(false);
  const add = group
    .command('add')
    .summary('let pages of an origin read answers')
    .description('Let browsers give answers about the company to pages of these origins.')
    .argument('<origin...>', 'such as https://app.example.com, or http://localhost:3000');
  documentCommand(add, {
    text: [
      'An origin is scheme, host and port, without a path and without wildcards: https, or http ' +
        `of this machine. A company has ${originsMax} at most. A running service knows it within ` +
        'two seconds.',
      'It opens nothing by itself: a page needs the keys of a link, a token or an API key as ' +
        'everybody does. Whoever opens a page sees what is in it, so no page has an API key ' +
        'that its readers shall not have.',
    ],
    examples: [['innsigli company origin add https://app.example.com', 'a signing page of yours']],
    exits: [
      [0, 'added'],
      [2, 'it is no origin'],
      [5, 'no such company, or several and none is named'],
      [7, 'there would be too many'],
    ],
  });
  add.action((origins: readonly string[], _: object, self: Command) =>
    start(self, (context) => runOrigins('add', origins, context)),
  );
  const remove = group
    .command('remove')
    .summary('end that')
    .description('No longer let pages of these origins read answers.')
    .argument('<origin...>', 'as innsigli company origin list has them');
  documentCommand(remove, {
    text: ['A running service knows it within two seconds.'],
    examples: [['innsigli company origin remove https://app.example.com', 'the page is gone']],
    exits: [
      [0, 'removed'],
      [2, 'it is no origin'],
      [5, 'the company has not registered it'],
    ],
  });
  remove.action((origins: readonly string[], _: object, self: Command) =>
    start(self, (context) => runOrigins('remove', origins, context)),
  );
  const list = group
    .command('list')
    .summary('list the origins of a company')
    .description('List the origins whose pages may read answers about the company.');
  documentCommand(list, {
    examples: [['innsigli company origin list', 'one a line']],
    exits: [
      [0, 'listed, be it nothing'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  list.action((_: object, self: Command) =>
    start(self, (context) => runOrigins('list', [], context)),
  );
}

/** Changes the origins of a company, and prints those that it has. */
export async function runOrigins(
  what: 'add' | 'remove' | 'list',
  named: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const origins = await useService(context, (service) =>
    namingOptions({ origin: 'origin' }, async () => {
      if (what === 'add') return service.addOrigins(named);
      if (what === 'remove') return service.removeOrigins(named);
      return (await service.access()).origins;
    }),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: `company origin ${what}`, origins });
    return 0;
  }
  if (origins.length > 0) console.result(origins.map(printable));
  else console.note('no page of another origin may read answers');
  return 0;
}
