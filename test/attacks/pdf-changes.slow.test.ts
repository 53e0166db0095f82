import { everywhere, testAttacks, testControls } from './pdf-changes/cases.ts';

testAttacks(everywhere);
testControls(everywhere);
