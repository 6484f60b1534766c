import { codeFaults } from './matrix/codes';
import { testMatrix } from './matrix/declare';

testMatrix('codes', codeFaults(), { oneIn: 4 });
