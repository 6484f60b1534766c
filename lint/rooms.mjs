import { readFileSync } from 'node:fs';

const NODES = 'nodes/Yuntongxun';

/** The rooms of the package, from top to bottom; `docs/maintainers/architecture.md` shows the same. */
const ROOMS = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));

/** Operations say what to send; they never send it themselves. */
const NEVER = {
	operation: ['client/transport.ts', 'client/signing.ts'],
	resources: ['client/transport.ts', 'client/signing.ts'],
};

/** What to write for a room in a list of files, or as the end of an import. */
function getFolder(room) {
	if (room === 'nodes') return `./${NODES}/*.ts`;
	return room === 'credentials' ? './credentials' : `./${NODES}/${room}`;
}

/** The walls between the rooms, as `import-x/no-restricted-paths` wants them. */
export const WALLS = ROOMS.flatMap(({ room, imports }) => {
	const others = ROOMS.filter((other) => other.room !== room && !imports.includes(other.room));
	const walls = others.map((other) => ({
		target: getFolder(room),
		from: getFolder(other.room),
		message: `${room} must not import from ${other.room}: see lint/rooms.json.`,
	}));
	const files = (NEVER[room] ?? []).map((file) => ({
		target: getFolder(room),
		from: `./${NODES}/${file}`,
		message: `${room} must not import from ${file}.`,
	}));
	return [...walls, ...files];
});
