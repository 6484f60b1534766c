/** Rotations of the four rounds. RFC 1321, section 3.4. */
const ROTATIONS = [
	[7, 12, 17, 22],
	[5, 9, 14, 20],
	[4, 11, 16, 23],
	[6, 10, 15, 21],
];

const SINES = Array.from({ length: 64 }, (_, step) =>
	Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32),
);

const MIXED: ReadonlyArray<(x: number, y: number, z: number) => number> = [
	(x, y, z) => (x & y) | (~x & z),
	(x, y, z) => (x & z) | (y & ~z),
	(x, y, z) => x ^ y ^ z,
	(x, y, z) => y ^ (x | ~z),
];

const WORD_OF_STEP: ReadonlyArray<(step: number) => number> = [
	(step) => step,
	(step) => (5 * step + 1) % 16,
	(step) => (3 * step + 5) % 16,
	(step) => (7 * step) % 16,
];

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** The message with a one, zeros and its length behind it. RFC 1321, sections 3.1 and 3.2. */
function padded(message: Uint8Array): DataView {
	const view = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64));
	new Uint8Array(view.buffer).set(message);
	view.setUint8(message.length, 0x80);
	view.setBigUint64(view.byteLength - 8, BigInt(message.length) * 8n, true);
	return view;
}

/**
 * MD5 written after RFC 1321, to compare with what the package gets from OpenSSL.
 *
 * @returns 32 lower-case hexadecimal digits
 */
export function md5(message: Uint8Array): string {
	const view = padded(message);
	let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
	for (let block = 0; block < view.byteLength; block += 64) {
		let [a, b, c, d] = state;
		for (let step = 0; step < 64; step++) {
			const round = Math.floor(step / 16);
			const word = view.getUint32(block + 4 * WORD_OF_STEP[round](step), true);
			const sum = a + MIXED[round](b, c, d) + word + SINES[step];
			[a, b, c, d] = [d, (b + rotated(sum | 0, ROTATIONS[round][step % 4])) | 0, b, c];
		}
		state = [a, b, c, d].map((word, place) => (word + state[place]) | 0);
	}
	const result = new DataView(new ArrayBuffer(16));
	state.forEach((word, place) => result.setInt32(4 * place, word, true));
	return Buffer.from(result.buffer).toString('hex');
}
