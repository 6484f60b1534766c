#!/usr/bin/env bash
# The commands of docs/running-n8n.md for a running container, in n8n's real image: GitHub runs it at night.
# Usage: test/hosting/docker.sh <tarball>
set -euo pipefail
tarball=$1
image=docker.n8n.io/n8nio/n8n:$(grep -oP '(?<=n8nio/n8n:)[\d.]+' docs/running-n8n.md | head -1)

docker run --detach --name n8n --publish 5678:5678 "$image"
trap 'docker logs n8n | tail -50; docker rm --force n8n' EXIT
until docker exec n8n test -d /home/node/.n8n; do sleep 1; done

cp "$tarball" .
# The block that begins with `docker cp`, as users read it.
bash -euxc "$(sed -n '/^docker cp/,/^```/p' docs/running-n8n.md | grep -v '^```')"

curl --retry 60 --retry-delay 2 --retry-all-errors --silent --fail localhost:5678/healthz
owner='{"email":"owner@example.com","firstName":"A","lastName":"B","password":"Made-up-1"}'
curl --silent --fail --cookie-jar cookies -H 'Content-Type: application/json' -d "$owner" localhost:5678/rest/owner/setup >/dev/null
nodes=$(curl --silent --fail --cookie cookies localhost:5678/types/nodes.json | grep -oE '"name":"n8n-nodes-yuntongxun\.\w+"' | sort -u)
echo "$nodes"
[[ $(wc -l <<<"$nodes") == 3 ]] || { echo 'n8n has not all three nodes'; exit 1; }

# From 3 on n8n comes as an image only: what is newer there than on npm has been tried by nothing of ours.
newest=$(docker run --rm --pull=always docker.n8n.io/n8nio/n8n --version | grep -oE '^[0-9]+\.[0-9]+\.[0-9]+')
on_npm=$(npm view n8n version)
[[ $(printf '%s\n' "$newest" "$on_npm" | sort -V | tail -1) == "$on_npm" ]] ||
	{ echo "n8n $newest is out as an image, and npm has $on_npm: NOT TRIED. How to: CONTRIBUTING.md"; exit 1; }
