import { describeKills } from './kill-suite.ts';

describeKills('postgresql');
