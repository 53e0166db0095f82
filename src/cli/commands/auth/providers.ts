import { command } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { checksDocument, withVerdict } from './checks.ts';
import { methodName } from './choices.ts';

/** Lists the methods by which persons can log in and sign. */
export const authProviders = command('auth providers', {
  summary: 'print the methods to log in and sign',
  description: 'Print the methods by which persons can log in and sign, and their providers.',
  examples: { 'innsigli auth providers': 'methods and providers' },
  exits: { 0: 'printed' },
  call: async ({ auth }) => ({ methods: await auth.methods() }),
  text: async ({ methods }, { console }) => {
    const { bold, yellow } = await console.style('stdout');
    for (const { method, provider, isSimulated, signs } of methods) {
      const facts = [
        ...(signs ? ['login, signature'] : ['login']),
        printable(provider),
        ...(isSimulated ? [yellow('TEST: proves nothing')] : []),
      ];
      console.result(
        `${bold(method.padEnd(11))}  ${methodName(method).padEnd(22)}  ${facts.join('  ')}`,
      );
    }
    if (methods.length === 0) console.note('no provider is configured');
  },
  document: ({ methods }) => ({
    methods: methods.map(({ isSimulated, ...facts }) => ({ ...facts, simulated: isSimulated })),
  }),
});

/** Checks the providers. */
export const authDoctor = command('auth doctor', {
  summary: 'check the providers of electronic identities',
  description: 'Check configuration, certificates, reachability and clock of each provider.',
  examples: { 'innsigli auth doctor': 'before anyone logs in' },
  exits: { 0: 'nothing failed', 10: 'a check failed' },
  call: async ({ auth }) => {
    const checks = await auth.check();
    return withVerdict(checks);
  },
  document: checksDocument,
  text: async ({ checks }, { console }) => {
    const { green, red, bold } = await console.style('stdout');
    for (const { methods, provider, name, isOk, message } of checks) {
      const sign = isOk ? green('✓') : red('✗');
      const what = `${methods.join(', ')} (${printable(provider)})`;
      console.result(`${sign} ${bold(what)} ${printable(name)}: ${printable(message)}`);
    }
  },
  exit: ({ ok }) => (ok ? 0 : 10),
});
