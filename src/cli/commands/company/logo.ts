import { bytesOfFile, command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';

/** Sets or removes the logo of a company. */
export const companyLogo = command('company logo', {
  summary: 'set the logo at the top of mails and pages',
  description: 'Set the logo at the top of the mails and pages of a company, or remove it.',
  args: { '[file]': { text: 'PNG or JPEG, at most 64 KiB', ...bytesOfFile } },
  options: { '--remove': 'remove the logo from mails and pages' },
  help: [
    'The image is embedded in each mail and shown at most 220 by 60 pixels large; nothing is ' +
      'loaded from elsewhere. Custom mail texts show it where they contain ' +
      '<img src="cid:logo" alt="…">.',
  ],
  examples: {
    'innsigli company logo logo.png': 'mails and pages start with it',
    'innsigli company logo --remove': 'mails and pages have no logo',
  },
  exits: {
    0: 'set, or removed',
    2: 'the file is not a PNG or JPEG, or too large',
    5: 'no such file or company',
  },
  check({ file, remove = false }) {
    if (remove === (file !== undefined)) {
      refuseUsage('expected either a file or --remove');
    }
  },
  names: () => ({ logo: 'file' }),
  call: async (service, { file }) => ({ logo: (await service.setLogo(file)) ?? null }),
  text: ({ logo }, { console }) =>
    console.note(
      logo === null
        ? 'mails and pages have no logo'
        : `mails and pages start with the logo, ${logo.width} × ${logo.height} pixels`,
    ),
});
