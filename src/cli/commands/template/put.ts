import { handleWarning, type TemplateRequest } from '../../../app/template-service.ts';
import { languages } from '../../../domain/message/index.ts';
import { command, readInputText } from '../../command/index.ts';

const recipients: Readonly<Record<string, string>> = {
  signup: '{{customer.email}}',
  confirmation: '{{customer.email}}',
  salesperson: '{{salesPerson}}',
};

/** Sets a mail template, replacing the one for the same flow, type and language. */
export const templatePut = command('template put', {
  summary: 'set a mail text',
  description: 'Set the text of a mail for a flow, a type and a language.',
  args: { '<html>': 'file with the message, or - for stdin' },
  options: {
    '--flow <key>': { text: 'flow', required: true },
    '--type <type>': {
      text: 'Signup, Notification, Confirmation or SalesPerson',
      required: true,
    },
    '--subject <text>': { text: 'subject, may contain placeholders', required: true },
    '--language <code>': {
      text: 'short code, or NotSet for all languages without a text',
      default: 'NotSet',
      offered: ['NotSet', ...languages],
    },
    '--to <address>': 'recipient: an address or a placeholder',
    '--bcc <address>': 'blind copy',
    '--files': 'attach the documents',
  },
  help: [
    'Placeholders: {{customer.name}}, {{customer.email}}, {{customer.Meta.NAME}}, ' +
      '{{companyName}}, {{flowName}}, {{salesPerson}} and others. Unknown ones render as empty ' +
      'and cause a warning; values are escaped. A request to sign contains its link even if the ' +
      'text omits it.',
  ],
  examples: {
    "innsigli template put hello.html --flow f1… --type Signup --subject '{{flowName}}'":
      'for all languages',
  },
  exits: { 0: 'set', 2: 'the text or an option is invalid', 5: 'no such flow or file' },
  names: ({ html }) => ({ flowKey: '--flow', templateType: '--type', message: html }),
  call: async ({ templates }, { html, type, to, ...given }, { console, io }) => {
    const request: TemplateRequest = {
      flowKey: given.flow,
      templateType: type,
      language: given.language,
      to: to ?? recipients[type.toLowerCase()] ?? '',
      bcc: given.bcc ?? '',
      subject: given.subject,
      message: await readInputText(html, io),
      includeFiles: given.files === true,
    };
    const template = await templates.create(request);
    const warning = handleWarning(request);
    if (warning !== undefined) await console.warn(warning, 'template.handle.unknown');
    return { template };
  },
  text: ({ template }, { console }) => console.result(String(template.id)),
});
