/** The clock of the service, watched for steps back. */
export { clockMoments, systemMoment } from './clock-moments.ts';
export { type ClockWatch, formatLine, systemClock, watchDays } from './clock-watch.ts';
