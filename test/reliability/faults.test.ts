import { testMatrix } from './matrix/declare';
import { FAULTS } from './matrix/faultTable';

testMatrix(FAULTS);
