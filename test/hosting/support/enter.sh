#!/bin/sh
# enter.sh <container> <user> <command> [arguments]: runs a command as in a container of n8n's image, with the
# image's folders and its user "node" (1000). What the command writes stays in the folder <container>, and
# nothing is mounted any more once it has ended. Takes root.
#
# <container>/node and <container>/modules name where Node.js and n8n's modules lie on this machine.
if [ "${ENTERED:-}" != "$1" ]; then
	ENTERED=$1 exec unshare --mount "$0" "$@"
fi
set -e
unset ENTERED
root=$1/root user=$2
node=$(cat "$1/node") modules=$(cat "$1/modules")
shift 2

for folder in /usr /etc /proc /dev; do
	mkdir -p "$root$folder"
	mount --rbind "$folder" "$root$folder"
done
for folder in /bin /sbin /lib /lib64; do
	if [ -L "$folder" ]; then
		ln -sfn "$(readlink "$folder")" "$root$folder"
	elif [ -d "$folder" ]; then
		mkdir -p "$root$folder"
		mount --rbind "$folder" "$root$folder"
	fi
done
for file in passwd group; do mount --bind "$root/$file" "$root/etc/$file"; done
mount -t tmpfs none "$root/usr/local"
mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/bin"
mount --bind "$modules" "$root/usr/local/lib/node_modules"
cp "$root"/programs/* "$root/usr/local/bin/"
mkdir "$root/usr/local/node"
mount --bind "$node" "$root/usr/local/node"
ln -s ../node/bin/node "$root/usr/local/bin/node"

case $user in
	node) id=1000 HOME=/home/node ;;
	root) id=0 HOME=/root ;;
esac
export HOME PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
cd "$root/home/node"
exec chroot "$root" setpriv --reuid="$id" --regid="$id" --clear-groups sh -c 'cd /home/node && exec "$@"' sh "$@"
