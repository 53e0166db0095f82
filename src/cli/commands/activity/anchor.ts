import { command } from '../../command/index.ts';
import { counted } from '../../output/index.ts';

/** Anchors all days that can be anchored, and reports what is pending. */
export const activityAnchor = command('activity anchor', {
  summary: 'time-stamp the log of past days',
  description: 'Compute a root hash over the log of each past day, and time-stamp it.',
  help: [
    'Run it once a day; a worker does so. Running it again adds nothing. A day anchored more ' +
      'than 48 hours after its end stays in doubt: it may have been changed ' +
      'before that.',
  ],
  examples: { 'innsigli activity anchor': 'every day not anchored yet' },
  exits: {
    0: 'every past day has a root with a time-stamp',
    9: 'a root has no time-stamp yet, or got it too late to confirm its day',
  },
  busy: 'Anchoring',
  call: ({ activity }) => activity.anchor(),
  text: async ({ anchored, stamped, late, waiting, errorCode }, { console }) => {
    if (waiting.length > 0) {
      const days = counted(waiting.length, 'day');
      await console.warn(`${days} without a time-stamp: ${errorCode ?? 'no response'}`);
    }
    if (late.length > 0) {
      await console.warn(`time-stamped too late to confirm them: ${late.join(', ')}`);
    }
    const made = `${counted(anchored.length, 'day')} anchored, ${stamped.length} time-stamped`;
    console.note(anchored.length + stamped.length === 0 ? 'nothing to anchor' : made);
  },
  exit: ({ late, waiting }) => (waiting.length + late.length === 0 ? 0 : 9),
});
