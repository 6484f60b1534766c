import { testMatrix } from './matrix/declare';
import { BREAKAGES } from './matrix/breakages';

testMatrix(BREAKAGES);
