#!/usr/bin/env bash
# All that takes no simulator and no n8n: shape, what nothing uses, format, types, links, generated pages, size.
cd "$(dirname "$0")/.." || exit 1
export PATH="$PWD/node_modules/.bin:$PATH"

code=0
check() { "$@" || { echo "Not as it has to be: $*"; code=1; }; }

# What each part has at most, in lines or words: tools/budget.txt.
within_budget() {
	local most unit paths size exit_code=0
	while read -r most unit paths; do
		[[ $most =~ ^[0-9]+$ ]] || continue
		# shellcheck disable=SC2086
		size=$(git ls-files --cached --others --exclude-standard -- $paths | xargs cat | wc "--$unit")
		((size <= most)) || { echo "$paths: $size $unit, at most $most (tools/budget.txt)"; exit_code=1; }
	done <tools/budget.txt
	return $exit_code
}

check eslint . --max-warnings 0
check knip --no-config-hints
check prettier --check .
check tsc -p test
check remark . --quiet --frail --ignore-pattern .cache
check jest --selectProjects project --testPathPatterns formTable architecture
check within_budget
exit $code
