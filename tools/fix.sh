#!/usr/bin/env bash
# Mends what lint and prettier can, and writes what is made from the code: forms.tsv and the schemas.
cd "$(dirname "$0")/.." || exit 1
export PATH="$PWD/node_modules/.bin:$PATH"

eslint . --fix
WRITE_DOCUMENTS=1 tsx test/withCa.ts jest --testPathPatterns project/formTable engine/operations
code=$?
prettier --write --log-level warn .
exit $code
