import { originsMax } from '../../../domain/company.ts';
import { command } from '../../command/index.ts';
import type { CommandContext } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { noCompany } from './settings.ts';

interface Origins {
  readonly origins: readonly string[];
}

const text = ({ origins }: Origins, { console }: CommandContext) => {
  if (origins.length > 0) console.result(origins.map(printable));
  else console.note('no page of another origin may read responses');
};

const originAdd = command('company origin add', {
  summary: 'let pages of an origin read responses',
  description: 'Let browsers pass responses about the company to pages of these origins.',
  args: { '<origin...>': 'such as https://app.example.com, or http://localhost:3000' },
  help: [
    'An origin is scheme, host and port, without a path or wildcards: https, or http ' +
      `on this machine. A company has at most ${originsMax}. A running service applies the ` +
      'change within two seconds. Its pages may also embed signing pages in a frame, and logins ' +
      'can return to it.',
    'This alone grants no access: a page needs the keys of a link, a token or an API key like ' +
      'any other client. The source of a page is visible to its readers, so put no API key into ' +
      'a page whose readers must not have it.',
  ],
  examples: { 'innsigli company origin add https://app.example.com': 'your own signing page' },
  exits: { 0: 'added', 2: 'it is no origin', 5: noCompany, 7: 'too many origins' },
  call: async (service, { origin }): Promise<Origins> => ({
    origins: await service.addOrigins(origin),
  }),
  text,
});

const originRemove = command('company origin remove', {
  summary: 'no longer let pages of an origin read responses',
  description: 'No longer let pages of these origins read responses.',
  args: { '<origin...>': 'as printed by innsigli company origin list' },
  help: ['A running service applies the change within two seconds.'],
  examples: {
    'innsigli company origin remove https://app.example.com': 'the page no longer exists',
  },
  exits: { 0: 'removed', 2: 'it is no origin', 5: 'the origin is not registered' },
  call: async (service, { origin }): Promise<Origins> => ({
    origins: await service.removeOrigins(origin),
  }),
  text,
});

const originList = command('company origin list', {
  summary: 'list the origins of a company',
  description: 'List the origins with access to responses about the company.',
  examples: { 'innsigli company origin list': 'one per line' },
  exits: { 0: 'listed (the list may be empty)', 5: noCompany },
  call: async (service): Promise<Origins> => ({ origins: (await service.access()).origins }),
  text,
});

/** `company origin` with its commands. */
export const companyOrigin = command('company origin', {
  summary: 'sites that read responses, frame pages, receive logins',
  description: 'Manage the origins of web pages with access to responses about a company.',
  commands: [originAdd, originRemove, originList],
});
