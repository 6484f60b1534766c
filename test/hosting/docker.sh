#!/usr/bin/env bash
# The commands of docs/running-n8n.md for a running container, in one of n8n's real images: GitHub runs it at night.
# Usage: test/hosting/docker.sh <tarball> <tag of the image> [options of docker run]
set -euo pipefail
tarball=$1
image=docker.n8n.io/n8nio/n8n:$2

docker run --detach --pull=always --name n8n --publish 5678:5678 "${@:3}" "$image"
trap 'docker logs n8n | tail -50; docker rm --force n8n' EXIT
for _ in {1..60}; do
	! docker exec n8n test -d /home/node/.n8n || break
	sleep 1
done
echo "n8n $(docker exec n8n n8n --version)"

cp "$tarball" .
# The block that begins with `docker cp`, as users read it.
bash -euxc "$(sed -n '/^docker cp/,/^```/p' docs/running-n8n.md | grep -v '^```')"

curl --retry 60 --retry-delay 2 --retry-all-errors --silent --fail localhost:5678/healthz
owner='{"email":"owner@example.com","firstName":"A","lastName":"B","password":"Made-up-1"}'
curl --silent --fail --cookie-jar cookies -H 'Content-Type: application/json' -d "$owner" localhost:5678/rest/owner/setup >/dev/null
nodes=$(curl --silent --fail --cookie cookies localhost:5678/types/nodes.json | grep -oE '"name":"n8n-nodes-yuntongxun\.\w+"' | sort -u)
echo "$nodes"
[[ $(wc -l <<<"$nodes") == 3 ]] || { echo 'n8n has not all three nodes'; exit 1; }
