import { relative } from 'node:path';
import { defined } from '../../../base/defined.ts';
import { command, mailAddress } from '../../command/index.ts';
import { loadConfig, openToolkit, refuseUsage } from '../../context.ts';
import { printable, shellWord } from '../../output/index.ts';
import { useCompanies } from '../../use-service.ts';

/** Creates what is missing of the development trust and the company, and lists it. */
export const init = command('init', {
  description:
    'Create the development trust (root, seal keys, time-stamp authority: test only) and the ' +
    'first company with its keys.',
  options: {
    '--name <name>': 'name of the company (default: Company)',
    '--user <e-mail>': { text: 'first user of the company', ...mailAddress },
  },
  help: [
    'Sealing creates the development trust on first use, and prints its folder; ' +
      'signing processes need this command first. Running it again changes nothing. ' +
      'Only you trust these certificates: they are for testing.',
    'The API key and the webhook signature key of the company are printed once and are not ' +
      'stored in readable form. If stdout is closed or /dev/null, the API key is revoked ' +
      'immediately; commands do not need it.',
  ],
  examples: {
    'innsigli init': 'in the data directory',
    'innsigli init --data-dir ./trust': 'in a folder of your choice',
  },
  exits: {
    0: 'the development trust exists',
    10: 'the data directory cannot be used',
  },
  check({ name }) {
    if (name?.trim() === '') refuseUsage('--name: expected a name, found none');
  },
  run: async ({ name = 'Company', user }, context) => {
    const { config } = await loadConfig(context, {});
    const toolkit = await openToolkit(context, config);
    return context.console.busy('Creating keys', () =>
      toolkit.initialise({ name, ...defined({ user }) }),
    );
  },
  isUsefulUnseen: true,
  undo: async ({ company }, context) => {
    if (company === undefined) return undefined;
    await useCompanies(context, async (service) => {
      const own = await service.open(company.key);
      for (const { id } of (await own.access()).apiKeys) await own.revokeApiKey(id);
    });
    return (
      `company ${company.key} was created and its API key revoked, because it could not be ` +
      'shown; create another with innsigli company key create'
    );
  },
  text: async (made, { console, io, globals }, given) => {
    const { name = 'Company' } = given;
    const { bold, dim, green } = await console.style('stderr');
    const folder = bold(printable(made.dataDir));
    console.note(
      made.created.length === 0
        ? `${green('✓')} The development trust in ${folder} is complete; nothing was changed.`
        : `${green('✓')} Created the development trust in ${folder} (TEST ONLY):`,
    );
    for (const file of made.created) {
      console.note(`  ${dim('+')} ${printable(relative(made.dataDir, file) || file)}`);
    }
    const { sealLine } = await import('../../advice.ts');
    const root = shellWord(made.rootCertificate);
    console.note([
      'To show its root, which another validator would have to trust:',
      `  openssl x509 -in ${root} -noout -subject -enddate`,
      `Next: ${sealLine(globals, 'agreement.pdf')}`,
    ]);
    console.result(
      io.stdout.isTerminal && !console.mode.quiet
        ? `root: ${made.rootCertificate}`
        : made.rootCertificate,
    );
    if (made.company !== undefined) {
      const { key, apiKey, webhookSignatureKey } = made.company;
      console.note(
        `${green('✓')} Created the company ${bold(printable(name))}; its keys are shown only now:`,
      );
      console.result([
        `company: ${key}`,
        `api-key: ${apiKey}`,
        `webhook-signature-key: ${webhookSignatureKey}`,
      ]);
    } else if (given.user !== undefined || given.name !== undefined) {
      console.note('A company already exists: --name and --user changed nothing.');
      console.note(
        'Create another with innsigli company create; list them with innsigli company list.',
      );
    }
  },
});
