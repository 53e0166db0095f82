import { command } from '../../command/index.ts';
import { printable, wholeSecond } from '../../output/index.ts';

/** Prints who is logged in as operator. */
export const authStatus = command('auth status', {
  summary: 'show who is logged in as operator',
  description: 'Show who is logged in as operator of this data directory and company.',
  examples: { 'innsigli auth status': 'name and expiry' },
  exits: { 0: 'an operator is logged in', 4: 'no operator is logged in, or the login has expired' },
  call: async (service, _, { dataDir, io }) => {
    const { findOperator } = await import('../../../wire/files/operator-session.ts');
    return findOperator(dataDir, service, io.now());
  },
  document: (found) => {
    if (!('session' in found)) return found;
    const { loggedInAtMs, expiresAtMs, isSimulated, ...session } = found.session;
    return {
      ...{ state: found.state, ...session, simulated: isSimulated },
      loggedInAt: new Date(loggedInAtMs).toISOString(),
      expiresAt: new Date(expiresAtMs).toISOString(),
    };
  },
  text: (found, { console }) => {
    if (found.state === 'none') return console.note('no operator is logged in');
    if (found.state === 'foreign') {
      return console.note(`no operator is logged in: operator.json was ignored, ${found.why}`);
    }
    const { name, method, isSimulated, expiresAtMs } = found.session;
    const test = isSimulated ? '  TEST: proves nothing' : '';
    const until = found.state === 'open' ? 'until' : 'expired at';
    const times = `${until} ${wholeSecond(expiresAtMs)}`;
    console.result(`${printable(name)}  ${printable(method)}  ${times}${test}`);
  },
  exit: ({ state }) => (state === 'open' ? 0 : 4),
});

/** Logs the operator out. */
export const authLogout = command('auth logout', {
  summary: 'forget who is logged in as operator',
  description: 'Forget who is logged in as operator of this data directory.',
  examples: { 'innsigli auth logout': 'the log names System again' },
  exits: { 0: 'no operator is logged in' },
  call: async (_, __, { dataDir }) => {
    const { removeOperator } = await import('../../../wire/files/operator-session.ts');
    await removeOperator(dataDir);
    return { loggedOut: true };
  },
  text: (_, { console }) => console.note('logged out'),
});
