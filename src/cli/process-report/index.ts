/** Output of commands about processes and sequences. */
export { minute, nextStep, processDocument, processLines, processTable } from './process.ts';
export { sequenceDocument, sequenceLines, sequenceTable } from './sequence.ts';
