import { command } from '../../command/index.ts';
import { authEvidence } from './evidence.ts';
import { authLogin } from './login.ts';
import { authLogout, authStatus } from './operator.ts';
import { authDoctor, authProviders } from './providers.ts';
import { authCancel, authPoll, authResult, authStart } from './session.ts';
import { authSimulate } from './simulate.ts';

/** `auth` with its commands. */
export const auth = command('auth', {
  description: 'Log persons in by electronic identity.',
  commands: [
    ...[authLogin, authStart, authPoll, authCancel, authResult],
    ...[authStatus, authLogout, authProviders, authDoctor, authSimulate, authEvidence],
  ],
});
