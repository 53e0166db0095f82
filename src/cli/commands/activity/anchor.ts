import { command } from '../../command/index.ts';
import { counted } from '../../output/index.ts';

/** Anchors all days that can be anchored, and reports what is pending. */
export const activityAnchor = command('activity anchor', {
  summary: 'time-stamp the log of days that are over',
  description: 'Put a root over the log of each day that is over, and time-stamp it.',
  help: [
    'Run it once a day; a worker does so. Running it again adds nothing. A day that was over ' +
      'for more than 48 hours is anchored too, and stays in doubt: it may have been changed ' +
      'before.',
  ],
  examples: { 'innsigli activity anchor': 'every day that is not anchored yet' },
  exits: {
    0: 'every day that is over has a root with a time-stamp',
    9: 'a root waits for its time-stamp, or got it too late to confirm its day',
  },
  busy: 'Anchoring',
  call: ({ activity }) => activity.anchor(),
  text: async ({ anchored, stamped, late, waiting, errorCode }, { console }) => {
    if (waiting.length > 0) {
      const days = counted(waiting.length, 'day');
      await console.warn(`${days} without a time-stamp: ${errorCode ?? 'no answer'}`);
    }
    if (late.length > 0) {
      await console.warn(`time-stamped too late to vouch for them: ${late.join(', ')}`);
    }
    const made = `${counted(anchored.length, 'day')} anchored, ${stamped.length} time-stamped`;
    console.note(anchored.length + stamped.length === 0 ? 'nothing to anchor' : made);
  },
  exit: ({ late, waiting }) => (waiting.length + late.length === 0 ? 0 : 9),
});
