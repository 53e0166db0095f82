/** The clock of the service, watched for steps back. */
export {
  type ClockWatch,
  clockMoments,
  formatLine,
  systemClock,
  systemMoment,
  watchDays,
} from './clock-watch.ts';
