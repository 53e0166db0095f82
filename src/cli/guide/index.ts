/** Help topics and completion scripts: loaded only by the commands that print them. */
export { completionScript } from './completion-script.ts';
export { exitCodes, type Topic, topics } from './topics.ts';
