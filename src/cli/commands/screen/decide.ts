import { command, integer, oneOf } from '../../command/index.ts';
import { printable } from '../../output/index.ts';

const words = ['false-positive', 'confirmed', 'accepted'] as const;

/** Records a decision about a match. */
export const screenDecide = command('screen decide', {
  summary: 'decide about a match',
  description: 'Record the decision about a match of a screening.',
  args: {
    '<screening>': 'id or number of the screening',
    '<match>': {
      text: 'place of the match in it, from 1 on',
      ...integer(1, 999, 'a number from 1 on'),
    },
    '<decision>': { text: words.join(', '), ...oneOf(words) },
  },
  options: {
    '--reason <text>': { text: 'why, for those who look at it later', required: true },
    '--by <name>': 'who has decided',
  },
  help: [
    'A false positive is shown no longer, a confirmed match stays, an accepted one counts ' +
      'against the person no longer. A decision is about this person and this entry of the ' +
      'list: when either has other names, dates, gender or countries, the match is open again.',
  ],
  examples: {
    "innsigli screen decide 12 1 false-positive --reason 'born in another year'":
      'the match is shown no longer',
  },
  exits: { 0: 'recorded', 2: 'a value is missing or wrong', 5: 'there is no such screening' },
  call: async ({ screening }, { screening: id, match, decision: word, reason, by }) => {
    const decision = word === 'false-positive' ? 'false_positive' : word;
    const made = await screening.decide({ screening: id, match, decision, reason, by });
    return { id: made.id, decision: made.decision, list: made.list, key: made.key };
  },
  text: (_, { console }) => console.note('recorded'),
});

/** Lists decisions. */
export const screenDecisions = command('screen decisions', {
  summary: 'list decisions about matches',
  description: 'List the decisions about matches, the newest first.',
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
    if (decisions.length === 0) console.note('nothing was decided');
  },
});
