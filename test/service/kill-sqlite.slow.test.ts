import { describeKills } from './kill-suite.ts';

describeKills('sqlite');
