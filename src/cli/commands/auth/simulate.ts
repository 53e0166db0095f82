import type { SimulatorDesk } from '../../../app/ports/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { eidFailCodes } from '../../../domain/auth/index.ts';
import { command, oneOf } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { printable, wholeSecond } from '../../output/index.ts';
import { useCompanies } from '../../use-service.ts';

const help = [
  'Works where the setting simulator.mode is manual (INNSIGLI_SIMULATOR_MODE=manual), here and ' +
    'where the login was started. Name a session by its first digits; if only one is pending, it ' +
    'can be omitted.',
];

const args = { '[session]': 'pending session; optional if there is only one' } as const;
const exits = {
  0: 'decided',
  2: 'several sessions are pending: name one',
  5: 'no such pending session',
  10: 'the simulator answers by itself: simulator.mode is auto, or this is production',
};

const simulateList = command('auth simulate list', {
  summary: 'print the pending sessions',
  description: 'Print the sessions of the simulator that await a decision.',
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
    if (sessions.length === 0) console.note('no session is pending');
  },
});

const simulateApprove = command('auth simulate approve', {
  summary: 'approve on behalf of the person',
  description: 'Let the person of a session approve it.',
  args,
  help,
  examples: { 'innsigli auth simulate approve': 'the only pending session' },
  exits,
  run: async ({ session }, context) => ({
    session: await atDesk(context, (desk) => decide(desk, session, 'approve')),
  }),
  text: (_, { console }) => console.note('approved'),
});

const simulateReject = command('auth simulate reject', {
  summary: 'refuse on behalf of the person',
  description: 'Let a session fail: the person refuses, or for another reason.',
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
    'innsigli auth simulate reject --reason certificateErr': 'a revoked certificate',
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
    refuseUsage(`expected one pending session, found ${count}`, 'innsigli auth simulate list');
  }
  if (!(await desk.decide(first.session, verdict))) throw notWaiting();
  return first.session;
}

function notWaiting(): InnsigliError {
  return new InnsigliError('eid.session.not_found', 'no such pending session', {
    hint: 'list pending sessions with innsigli auth simulate list',
  });
}
