export { LiveSet, type Placed } from './live-set.ts';
export { openUnderWay } from './under-way.ts';
