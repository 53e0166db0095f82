import type { Command } from 'commander';
import { handleWarning, type TemplateRequest } from '../../../app/template-service.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { namingOptions, readInputText } from '../option-values.ts';

interface ParsedOptions {
  readonly flow: string;
  readonly type: string;
  readonly language: string;
  readonly to?: string;
  readonly bcc?: string;
  readonly subject: string;
  readonly files?: boolean;
}

/** Adds `template put` to the command tree. */
export function defineTemplatePut(group: Command, start: Start): void {
  const command = group
    .command('put')
    .summary('set a mail text')
    .description('Set the text of a mail for a flow, a type and a language.')
    .argument('<html>', 'file with the message, or - for stdin')
    .requiredOption('--flow <key>', 'flow')
    .requiredOption('--type <type>', 'Signup, Notification, Confirmation or SalesPerson')
    .requiredOption('--subject <text>', 'subject, with handles')
    .option('--language <code>', 'short code, or NotSet for all without a text', 'NotSet')
    .option('--to <address>', 'recipient: an address or one handle')
    .option('--bcc <address>', 'blind copy')
    .option('--files', 'send the documents along');
  documentCommand(command, {
    text: [
      'Handles: {{customer.name}}, {{customer.email}}, {{customer.Meta.NAME}}, {{companyName}}, ' +
        '{{flowName}}, {{salesPerson}} and others; unknown ones render empty and are warned ' +
        'of, values are escaped. A request to sign has its link also when the text forgets it.',
    ],
    examples: [
      [
        "innsigli template put hello.html --flow f1… --type Signup --subject '{{flowName}}'",
        'for all languages',
      ],
    ],
    exits: [
      [0, 'set'],
      [2, 'the text or an option cannot be used'],
      [5, 'no such flow or file'],
    ],
  });
  command.action((html: string, options: ParsedOptions, self: Command) =>
    start(self, (context) => runTemplatePut(html, options, context)),
  );
}

const recipients: Readonly<Record<string, string>> = {
  signup: '{{customer.email}}',
  confirmation: '{{customer.email}}',
  salesperson: '{{salesPerson}}',
};

const optionNames = {
  flowKey: '--flow',
  templateType: '--type',
  language: '--language',
  to: '--to',
  bcc: '--bcc',
  subject: '--subject',
};

/** Sets a text, in the place of the one for the same flow, type and language. */
export async function runTemplatePut(
  html: string,
  options: ParsedOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const message = await readInputText(html, io);
  const request: TemplateRequest = {
    flowKey: options.flow,
    templateType: options.type,
    language: options.language,
    to: options.to ?? recipients[options.type.toLowerCase()] ?? '',
    bcc: options.bcc ?? '',
    subject: options.subject,
    message,
    includeFiles: options.files === true,
  };
  const template = await useService(context, ({ templates }) =>
    namingOptions({ ...optionNames, message: html }, () => templates.create(request)),
  );
  const warning = handleWarning(request);
  if (warning !== undefined) await console.warn(warning, 'template.handle.unknown');
  if (console.mode.json) console.document({ v: 1, command: 'template put', template });
  else console.result(String(template.id));
  return 0;
}
