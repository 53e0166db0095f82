import { command, integer, oneOf } from '../../command/index.ts';
import { printable } from '../../output/index.ts';

const words = ['false-positive', 'confirmed', 'accepted'] as const;

/** Records a decision about a match. */
export const screenDecide = command('screen decide', {
  summary: 'decide a match',
  description: 'Record the decision about a match of a screening.',
  args: {
    '<screening>': 'ID or number of the screening',
    '<match>': {
      text: 'position of the match in the screening, from 1',
      ...integer(1, 999, 'a positive number'),
    },
    '<decision>': { text: words.join(', '), ...oneOf(words) },
  },
  options: {
    '--reason <text>': { text: 'why, for later review', required: true },
    '--by <name>': 'who decided',
  },
  help: [
    'A false positive is no longer shown, a confirmed match stays, an accepted one no longer ' +
      'counts against the person. A decision applies to this person and this entry of the ' +
      'list: if names, dates, gender or countries of either change, the match is open again.',
  ],
  examples: {
    "innsigli screen decide 12 1 false-positive --reason 'born in another year'":
      'the match is no longer shown',
  },
  exits: { 0: 'recorded', 2: 'a value is missing or invalid', 5: 'no such screening' },
  call: async ({ screening }, { screening: id, match, decision: word, reason, by }) => {
    const decision = word === 'false-positive' ? 'false_positive' : word;
    const made = await screening.decide({ screening: id, match, decision, reason, by });
    return { id: made.id, decision: made.decision, list: made.list, key: made.key };
  },
  text: (_, { console }) => console.note('recorded'),
});

/** Lists decisions. */
export const screenDecisions = command('screen decisions', {
  summary: 'list decisions on matches',
  description: 'List the decisions on matches, newest first.',
  examples: { 'innsigli screen decisions --json': 'with reasons' },
  exits: { 0: 'listed' },
  call: async ({ screening }) => ({ decisions: await screening.decisions() }),
  document: ({ decisions }) => ({
    decisions: decisions.map(({ companyKey: _c, subject: _s, identity: _i, ...rest }) => rest),
  }),
  text: ({ decisions }, { console }) => {
    for (const { atMs, decision, list, key, reason } of decisions) {
      const time = new Date(atMs).toISOString().slice(0, 10);
      console.result(printable([time, decision, list, key, reason].join('  ')));
    }
    if (decisions.length === 0) console.note('no decision is recorded');
  },
});
