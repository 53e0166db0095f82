import { bytesOfFile, command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';

/** Sets or removes the logo of a company. */
export const companyLogo = command('company logo', {
  summary: 'set the logo at the head of mails and pages',
  description: 'Set the logo at the head of mails and pages of a company, or remove it.',
  args: { '[file]': { text: 'PNG or JPEG, at most 64 KiB', ...bytesOfFile } },
  options: { '--remove': 'mails and pages have no logo any more' },
  help: [
    'The picture goes with each mail and is shown 220 by 60 pixels large at most; nothing is ' +
      'loaded from elsewhere. Mail texts of your own show it where they name ' +
      '<img src="cid:logo" alt="…">.',
  ],
  examples: {
    'innsigli company logo logo.png': 'mails and pages begin with it',
    'innsigli company logo --remove': 'mails and pages have no logo',
  },
  exits: {
    0: 'set, or removed',
    2: 'it is no PNG or JPEG, or too large',
    5: 'no such file or company',
  },
  check({ file, remove = false }) {
    if (remove === (file !== undefined)) {
      refuseUsage('expected a file or --remove, one of the two');
    }
  },
  names: () => ({ logo: 'file' }),
  call: async (service, { file }) => ({ logo: (await service.setLogo(file)) ?? null }),
  text: ({ logo }, { console }) =>
    console.note(
      logo === null
        ? 'mails and pages have no logo'
        : `mails and pages begin with the logo of ${logo.width} × ${logo.height} pixels`,
    ),
});
