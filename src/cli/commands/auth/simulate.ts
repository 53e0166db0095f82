import type { SimulatorDesk } from '../../../app/ports/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { eidFailCodes } from '../../../domain/auth/index.ts';
import { command, oneOf } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { printable, wholeSecond } from '../../output/index.ts';
import { useCompanies } from '../../use-service.ts';

const help = [
  'Works where the setting simulator.mode is manual (INNSIGLI_SIMULATOR_MODE=manual), here and ' +
    'where the login was started. A session is named by its first digits; with one that waits it ' +
    'can be left out.',
];

const args = { '[session]': 'session that waits; optional where there is one' } as const;
const exits = {
  0: 'decided',
  2: 'several sessions wait: name one',
  5: 'no such session waits',
  10: 'the simulator does not wait: simulator.mode is auto, or this is production',
};

const simulateList = command('auth simulate list', {
  summary: 'print the sessions that wait',
  description: 'Print the sessions of the simulator that wait for a decision.',
  help,
  examples: { 'innsigli auth simulate list': 'sessions, oldest first' },
  exits: { 0: 'printed', 10: exits[10] },
  run: async (_, context) => ({ sessions: await atDesk(context, (desk) => desk.list()) }),
  document: ({ sessions }) => ({
    sessions: sessions.map(({ openedAtMs, ...each }) => ({
      ...each,
      openedAt: new Date(openedAtMs).toISOString(),
    })),
  }),
  text: async ({ sessions }, { console }) => {
    const { bold } = await console.style('stdout');
    for (const { session, label, openedAtMs } of sessions) {
      console.result(`${bold(session)}  ${wholeSecond(openedAtMs)}  ${printable(label)}`);
    }
    if (sessions.length === 0) console.note('no session waits');
  },
});

const simulateApprove = command('auth simulate approve', {
  summary: 'agree in the place of the person',
  description: 'Let the person of a session agree.',
  args,
  help,
  examples: { 'innsigli auth simulate approve': 'the only session that waits' },
  exits,
  run: async ({ session }, context) => ({
    session: await atDesk(context, (desk) => decide(desk, session, 'approve')),
  }),
  text: (_, { console }) => console.note('approved'),
});

const simulateReject = command('auth simulate reject', {
  summary: 'refuse in the place of the person',
  description: 'Let a session fail: the person refuses, or another reason.',
  args,
  options: {
    '--reason <code>': {
      text: `${eidFailCodes.join(', ')} (default: userCancel)`,
      ...oneOf(eidFailCodes),
    },
  },
  help,
  examples: {
    'innsigli auth simulate reject': 'the person refuses',
    'innsigli auth simulate reject --reason certificateErr': 'a certificate that is revoked',
  },
  exits,
  run: async ({ session, reason = 'userCancel' }, context) => ({
    session: await atDesk(context, (desk) => decide(desk, session, reason)),
  }),
  text: (_, { console }) => console.note('refused'),
});

/** `auth simulate` with its commands. */
export const authSimulate = command('auth simulate', {
  summary: 'decide for test persons of the simulator',
  description: 'Decide for test persons of the e-ID simulator, from another terminal.',
  commands: [simulateList, simulateApprove, simulateReject],
});

function atDesk<T>(context: CommandContext, work: (desk: SimulatorDesk) => Promise<T>): Promise<T> {
  return useCompanies(context, async (service) => work(await service.simulator()));
}

async function decide(
  desk: SimulatorDesk,
  named: string | undefined,
  verdict: Parameters<SimulatorDesk['decide']>[1],
): Promise<string> {
  const waiting = await desk.list();
  const found = waiting.filter(({ session }) => session.startsWith(named ?? ''));
  const [first, ...others] = found;
  if (first === undefined) throw notWaiting();
  if (others.length > 0) {
    const count = found.length;
    refuseUsage(`expected one session, found ${count} that wait`, 'innsigli auth simulate list');
  }
  if (!(await desk.decide(first.session, verdict))) throw notWaiting();
  return first.session;
}

function notWaiting(): InnsigliError {
  return new InnsigliError('eid.session.not_found', 'no such session waits', {
    hint: 'innsigli auth simulate list prints those that do',
  });
}
