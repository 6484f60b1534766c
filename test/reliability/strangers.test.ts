import { testMatrix } from './matrix/declare';
import { STRANGERS } from './matrix/strangers';

testMatrix('strangers', STRANGERS, { oneIn: 2 });
